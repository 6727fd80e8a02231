"""Plays in a real browser, as a person does: python3 drive_browser.py KASHAN [FOLDER FOR PICTURES]"""

import contextlib
import http.server
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

PATIENCE = 60
KASHAN, PICTURES = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None


class Played:
    """The program, and the browser that shows its page: whatever happens, both are ended at last. What is left
    running would keep this script's output open, and whoever reads it would wait for ever."""

    def __init__(self, folder, at_last):
        environment = dict(os.environ, XDG_DATA_HOME=folder)
        arguments = [KASHAN, "play", "--web", "--no-open", "--option", "OwnBook=0", "--strength", "1000", "--tc", "0.1s"]
        self.kashan = subprocess.Popen(arguments, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=environment)
        at_last.callback(self.kashan.kill)
        self.address = self.kashan.stdout.readline().split()[-1]
        options = webdriver.ChromeOptions()
        for word in ("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
                     "disable-component-update", "disable-sync", "disable-dev-shm-usage", "window-size=1280,860", f"user-data-dir={folder}/browser"):
            options.add_argument("--" + word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        at_last.callback(self.browser.quit)
        at_last.callback(self.picture, "last")
        self.show()

    def show(self):
        self.browser.get(self.address)
        self.wait(lambda: self.script("return !!game"), "the page shows a game")

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def wait(self, holds, what):
        WebDriverWait(self.browser, PATIENCE, 0.05).until(lambda _: holds(), what)

    def at(self, name):
        return self.browser.find_element(By.ID, name)

    def click(self, name):
        self.wait(lambda: self.at(name).is_displayed() and self.at(name).is_enabled(), f"{name} can be clicked")
        self.at(name).click()

    def moves(self):
        return self.script("return [...document.querySelectorAll('#moves button')].map(button => button.textContent)")

    def count(self, selector):
        return self.script("return document.querySelectorAll(arguments[0]).length", selector)

    def over(self, name, actions):
        """Moves the mouse over a square: the squares themselves are drawn anew all the time."""
        # The middle of a board of which only a part is seen would be another one.
        script = """
            document.querySelector("#board").scrollIntoView({block: "center"});
            const [square, board] = [`rect[data-square=${arguments[0]}]`, "#board"].map(name => document.querySelector(name).getBoundingClientRect());
            const middle = (box, side, size) => box[side] + box[size] / 2;
            return [["x", "width"], ["y", "height"]].map(([side, size]) => Math.round(middle(square, side, size) - middle(board, side, size)));
        """
        offset = self.script(script, name)
        return actions.move_to_element_with_offset(self.at("board"), *offset)

    def click_square(self, name):
        self.over(name, ActionChains(self.browser, duration=50)).click().perform()

    def new_game(self, level, side="white"):
        self.script("return send({do: 'new', side: arguments[1], level: arguments[0], preset: 'strong', strength: null})", level, side)
        self.wait(lambda: self.script("return game.legal.length == 20 && !game.moves.length && !game.ending"), "a new game")

    def load(self, fen):
        self.click("pgn")
        self.at("paste").clear()
        self.at("paste").send_keys(f'[SetUp "1"]\n[FEN "{fen}"]\n\n*\n')
        self.browser.find_element(By.CSS_SELECTOR, "#exchange button[value=load]").click()
        self.wait(lambda: self.script("return game.fens[0]") == fen, "the position")

    def click_move(self, mv):
        played = len(self.moves())
        self.click_square(mv[:2])
        assert self.count("circle.target, circle.take"), f"{mv}: legal targets are shown"
        self.click_square(mv[2:4])
        if len(mv) > 4:
            self.browser.find_element(By.CSS_SELECTOR, f"#promotion button[data-piece={mv[4]}]").click()
        self.wait(lambda: len(self.moves()) > played, f"{mv} is on the board")

    def picture(self, name):
        if PICTURES:
            self.browser.save_screenshot(f"{PICTURES}/{name}.png")

    def narrow(self, dark):
        """A telephone's screen, or with None the desktop's."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        size = {"width": 400, "height": 860, "deviceScaleFactor": 1, "mobile": True}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def a_whole_game(played):
    """By clicks, until somebody is mated or nobody can be. Kashan plays at 1000, a tenth of a second a move."""
    assert played.script("return [game.strength, game.level]") == ["1000", "0.1 seconds a move"]
    assert "1000 Elo" in played.at("shown").text
    choice, reloaded, drawn = random.Random(5), False, False
    while not played.script("return game.ending"):
        if played.script("return mine()"):
            played.click_move(choice.choice(played.script("return game.legal")))
        else:
            time.sleep(0.02)
        if not reloaded and len(played.moves()) >= 9:
            # Now and then Kashan is thinking.
            reloaded = played.browser.refresh() is None
            played.wait(lambda: played.script("return !!game && game.moves.length >= 9"), "the game after a reload")
        drawn |= "The move was drawn among " in played.at("drawn").text
        assert len(played.moves()) < 400, "it ends"
    played.wait(lambda: played.at("status").text == played.script("return game.ending"), "the end is said")
    assert drawn, "the page says among which moves it drew"
    print(f"a whole game: {len(played.moves())} half-moves, {played.at('status').text}")


def a_look_back(played):
    """At that game: by Kashan, and by Stockfish."""
    for name, judge in (("review", "Kashan's own alpha-beta"), ("stockfish", "Stockfish")):
        played.click(name)
        played.wait(lambda: f"Judged by {judge}." in played.at("reviewed").text, f"a look back by {judge}")
        assert "??" in played.at("reviewed").text, "whoever moves at random blunders"
        assert played.at("comments").is_displayed()
    played.picture("reviewed")
    print("a look back, by both judges")


def promotion_and_take_back(played):
    played.new_game("0.1s")
    played.load("7k/P7/8/8/8/7p/7P/K7 w - - 0 1")
    played.click_move("a7a8n")
    assert played.moves()[0] == "a8=N", played.moves()
    played.wait(lambda: len(played.moves()) == 2, "Kashan answers")
    played.click("undo")
    played.wait(lambda: played.moves() == [], "both moves are taken back")
    assert played.script("return pieceOn('a7')") == "white pawn"
    print("promotion, and both moves taken back")


def reload_and_two_tabs(played):
    played.new_game("1s", "both")
    for mv in ("e2e4", "e7e5"):
        played.click_move(mv)
    played.browser.refresh()
    played.wait(lambda: played.moves() == ["e4", "e5"], "the game after a reload")
    first = played.browser.current_window_handle
    played.browser.switch_to.new_window("tab")
    played.show()
    assert played.moves() == ["e4", "e5"]
    played.click_move("g1f3")
    second = played.browser.current_window_handle
    played.browser.switch_to.window(first)
    played.wait(lambda: played.moves() == ["e4", "e5", "Nf3"], "the other tab sees the move")
    played.browser.switch_to.window(second)
    played.browser.close()
    played.browser.switch_to.window(first)
    print("reload, two tabs")


def press(played, *keys):
    ActionChains(played.browser).send_keys(*keys).perform()


def tab_to(played, name):
    """As whoever has no mouse: from where the focus is to another place, by Tab alone."""
    for _ in range(60):
        if played.script("return document.activeElement.id || document.activeElement.name") == name:
            return
        press(played, Keys.TAB)
    raise AssertionError(f"Tab comes to {name}")


def keyboard_only(played):
    played.browser.refresh()
    played.wait(lambda: played.script("return !!game"), "the page")
    tab_to(played, "new")
    press(played, Keys.ENTER)
    played.wait(lambda: played.script("return document.getElementById('setup').open"), "the dialog")
    tab_to(played, "side")
    press(played, "both")
    tab_to(played, "preset")
    press(played, Keys.TAB, Keys.ENTER)
    played.wait(lambda: played.script("return game.kashan === null && !game.moves.length"), "both sides, by the keyboard")
    board = played.at("board")
    # The cursor begins at e2.
    for key in (Keys.ARROW_UP, Keys.ENTER, Keys.ARROW_UP, Keys.ARROW_UP, Keys.ENTER):
        board.send_keys(key)
    played.wait(lambda: played.moves() == ["e4"], "e4 by the cursor keys")
    played.at("text").send_keys("Nf6" + Keys.ENTER)
    played.wait(lambda: played.moves() == ["e4", "Nf6"], "Nf6 as it is written")
    board.send_keys(Keys.ARROW_UP)
    played.wait(lambda: played.at("said").text.startswith("e5"), "the square is said")
    assert played.at("said").get_attribute("role") == "status"
    played.at("text").send_keys("Ke5" + Keys.ENTER)
    played.wait(lambda: "Ke5" in played.at("said").text or "illegal" in played.at("said").text, "what was wrong is said")
    # The cursor stays at e5, and up is towards White for who plays Black.
    played.load("7k/8/8/8/8/8/4p3/K7 b - - 0 1")
    tab_to(played, "board")
    press(played, *[Keys.ARROW_UP] * 3, Keys.ENTER)
    played.wait(lambda: played.at("said").text == "black pawn picked up", "what is picked up is said")
    # An answer that brings the same game once more, because two were asked for, takes nothing away; nor does another one
    # with the same board.
    played.script("take({ game: { ...game }, live }); game.version--; take({ game: { ...game, version: game.version + 1 }, live })")
    assert played.at("said").text == "black pawn picked up"
    press(played, Keys.ARROW_UP, Keys.ENTER)
    played.wait(lambda: played.script("return document.getElementById('promotion').open"), "what it becomes is asked")
    press(played, Keys.ENTER)
    played.wait(lambda: played.moves()[:1] == ["e1=Q+"], "a queen by the keyboard")
    print("keyboard only")


def dragging(played):
    played.new_game("1s", "both")
    held = played.over("d2", ActionChains(played.browser)).click_and_hold()
    played.over("d4", held).release().perform()
    played.wait(lambda: played.moves() == ["d4"], "d4 by dragging")
    print("dragging")


def by_touch(played):
    """A move by the finger on a telephone's screen: a tap on the piece, and one on where it goes."""
    played.narrow(dark=False)
    played.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    played.new_game("1s", "both")
    played.script("window.pointers = []; addEventListener('pointerdown', event => pointers.push(event.pointerType))")
    tap = lambda name: played.over(name, ActionChains(played.browser, duration=50, devices=[PointerInput(POINTER_TOUCH, "finger")])).click().perform()
    tap("g1")
    played.wait(lambda: played.count("circle.target") == 2, "both targets of the knight")
    tap("f3")
    played.wait(lambda: played.moves() == ["Nf3"], "Nf3 by touch")
    assert played.script("return pointers") == ["touch", "touch"]
    played.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    played.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    print("a move by touch")


def the_search_is_seen(played):
    played.click("new")
    form = played.browser.find_element(By.CSS_SELECTOR, "#setup form")
    Select(form.find_element(By.NAME, "level")).select_by_value("10s")
    Select(form.find_element(By.NAME, "strength")).select_by_value("max")
    form.find_element(By.CSS_SELECTOR, "button[value=play]").click()
    played.wait(lambda: played.script("return game.level").startswith("10 seconds"), "the level of the dialog")
    for mv in ("e2e4", "g1f3"):
        played.wait(lambda: played.script("return mine()"), "the user's turn")
        played.click_move(mv)
        seen = "return live.thinks && live.search && live.search.fen == game.fens[game.moves.length] && live.search.genetic.generation"
        played.wait(lambda: played.script(seen), "a generation")
        generation = played.script(seen)
        played.wait(lambda: (played.script(seen) or 0) > generation + 10, "it goes on")
        played.wait(lambda: played.count("#arrows line") == 3, "three arrows")
        time.sleep(3)
        played.picture("desktop")
        assert played.count("#efforts li") > 15
        figures = played.script("return document.getElementById('figures').textContent")
        assert all(name in figures for name in ("Generation", "Crossover", "Mutation", "Growth", "H", "K", "P")), figures
        played.click("now")
        played.wait(lambda: played.script("return mine() && game.moves[game.moves.length - 1].page"), "a page that explains")
    game = played.browser.current_window_handle
    played.click("explain")
    played.wait(lambda: len(played.browser.window_handles) == 2, "the page in a tab")
    played.browser.switch_to.window([tab for tab in played.browser.window_handles if tab != game][0])
    played.wait(lambda: played.browser.title.startswith("Kashan: a search of"), "its title")
    assert played.count("#board use"), "its board"
    played.picture("explain")
    played.browser.close()
    played.browser.switch_to.window(game)
    print("the search is seen, and explained")


def narrow_screens(played):
    for dark in (False, True):
        played.narrow(dark)
        width = played.script("return document.documentElement.scrollWidth")
        assert width <= 400, f"{width} columns on a screen of 400"
        played.picture("narrow-dark" if dark else "narrow")
    played.script("return send({do: 'undo'})")
    played.wait(lambda: played.script("return mine()"), "the user's turn")
    played.click_move("d2d4")
    print("a screen of 400")
    played.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    time.sleep(2)
    played.picture("dark")


def strangers(played):
    """A page of another origin, and another address of this server."""
    errors = [entry for entry in played.browser.get_log("browser") if entry["level"] == "SEVERE" and "409" not in entry["message"]]
    assert not errors, errors
    # A game that a resignation would end.
    played.new_game("1s", "both")
    played.click_move("e2e4")
    before = played.script("return [game.fens, game.ending]")
    assert not before[1], before

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()

        def log_message(self, *_):
            pass

    other = http.server.HTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    played.browser.get(f"http://127.0.0.1:{other.server_port}/")
    ask = "const done = arguments[1]; fetch(arguments[0] + 'do', {method: 'POST', mode: 'no-cors', body: '{\"do\":\"resign\"}'}).then(() => done('sent'), () => done('refused'))"
    played.browser.execute_async_script(ask, played.address)
    read = "const done = arguments[1]; fetch(arguments[0] + 'state').then(() => done('read'), () => done('refused'))"
    assert played.browser.execute_async_script(read, played.address) == "refused"
    played.browser.get(played.address.rsplit("/", 2)[0] + "/" + "0" * 32 + "/")
    assert "not the address" in played.browser.page_source
    played.show()
    after = played.script("return [game.fens, game.ending]")
    assert after == before, f"nobody else resigns: {before}, {after}"
    print("strangers are refused")


def the_end(played):
    played.click("quit")
    assert played.kashan.wait(PATIENCE) == 0
    played.wait(lambda: "has ended" in played.at("status").text, "the page knows")
    print("the end by the button")


PARTS = (a_whole_game, a_look_back, the_search_is_seen, narrow_screens, promotion_and_take_back, reload_and_two_tabs, keyboard_only,
         dragging, by_touch, strangers, the_end)
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.ExitStack() as at_last:
    played = Played(folder, at_last)
    for part in PARTS:
        part(played)
