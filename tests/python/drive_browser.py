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
                     "disable-component-update", "disable-sync", "disable-dev-shm-usage", "window-size=1280,800", f"user-data-dir={folder}/browser"):
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
        able = lambda: self.at(name).is_enabled() and self.at(name).get_attribute("aria-disabled") != "true"
        self.wait(lambda: self.at(name).is_displayed() and able(), f"{name} can be clicked")
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

    def over_graph(self, share):
        """A click on the graph of the game."""
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", self.at("values"))
        width = self.at("values").size["width"]
        ActionChains(self.browser, duration=50).move_to_element_with_offset(self.at("values"), int((share - 0.5) * width), 0).click().perform()

    def click_square(self, name):
        self.over(name, ActionChains(self.browser, duration=50)).click().perform()

    def new_game(self, level, side="white"):
        self.script("return send({do: 'new', side: arguments[1], level: arguments[0], preset: 'strong', strength: null})", level, side)
        self.wait(lambda: self.script("return game.legal[0].length == 20 && !game.moves.length && !game.ending"), "a new game")

    def paste(self, text):
        """Into the box for positions and games."""
        self.click("pgn")
        self.at("paste").clear()
        self.at("paste").send_keys(text)
        self.browser.find_element(By.CSS_SELECTOR, "#exchange button[value=load]").click()

    def load(self, fen):
        self.paste(fen)
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

    def media(self, dark=False, still=False):
        """What the user prefers: dark colours, and no motion."""
        features = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce" if still else "no-preference"}
        features = [{"name": name, "value": value} for name, value in features.items()]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def screen(self, width, height):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def desktop(self):
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def narrow(self, dark):
        """A telephone's screen."""
        self.media(dark)
        self.screen(400, 860)


def a_whole_game(played):
    """By clicks, until somebody is mated or nobody can be. Kashan plays at 1000, a tenth of a second a move."""
    assert played.script("return [game.strength, game.level]") == ["1000", "0.1 seconds a move"]
    assert "1000 Elo" in played.at("upper").text
    # What it drew is not told before its move, nor is there a bar that tells who is better.
    assert not played.at("bar").is_displayed()
    played.script("document.getElementById('search').open = true")
    choice, reloaded, drawn, named = random.Random(5), False, False, False
    while not played.script("return game.ending"):
        if played.script("return mine()"):
            played.click_move(choice.choice(played.script("return legal()")))
        else:
            time.sleep(0.02)
        if not reloaded and len(played.moves()) >= 9:
            # Now and then Kashan is thinking.
            reloaded = played.browser.refresh() is None
            played.wait(lambda: played.script("return !!game && game.moves.length >= 9"), "the game after a reload")
        drawn |= "The move was chosen at random among " in played.at("drawn").text
        heading = played.at("considers").text
        named |= heading.startswith("Kashan played ") and ", drawn from " in heading
        assert len(played.moves()) < 400, "it ends"
    played.wait(lambda: played.at("status").text == played.script("return game.ending"), "the end is said")
    assert drawn and named, "the page says which move it drew, and among which"
    assert "full strength" in played.at("drawn").text, "where the breeding is to be seen"
    print(f"a whole game: {len(played.moves())} half-moves, {played.at('status').text}")


def a_review(played):
    """Of that game. Bad moves are marked, and the better line can be played through."""
    played.click("review")
    played.wait(lambda: "Judged by Kashan's own alpha-beta." in played.at("reviewed").text, "a review")
    assert played.count("#moves button[data-sign='??']"), "whoever moves at random blunders"
    assert played.at("comments").is_displayed()
    # Both sides have their accuracy and their worst moves.
    assert played.script("return game.review.accuracy.every(Number.isFinite)")
    assert played.count("#reviewed tr") == 3 and "worst" in played.at("reviewed").text
    worst = played.script("return game.review.moves.filter(move => move.sign === '??').sort((a, b) => b.better.length - a.better.length)[0]")
    assert all(move["loss"] >= 15 for move in played.script("return game.review.moves.filter(move => move.sign === '??')"))
    played.script("document.querySelector(`#moves button[data-ply='${arguments[0]}']`).click()", worst["ply"] + 1)
    assert played.at("judged").text.startswith(worst["text"][:20])
    assert played.count("#arrows line") == 1 and played.count("#board .sign") == 1, "the better move, and the mark"
    played.picture("reviewed")
    line = played.browser.find_elements(By.CSS_SELECTOR, "#judged button")
    assert [button.text for button in line] == [move["san"] for move in worst["better"]]
    line[-1].click()
    assert played.script("return fenShown()") == worst["better"][-1]["fen"]
    # The button keeps the focus, and the step is said.
    assert played.script("return document.activeElement.textContent") == worst["better"][-1]["san"]
    assert "in the better line" in heard(played)
    for _ in worst["better"]:
        press(played, Keys.ARROW_LEFT)
    assert played.script("return [peek, shown()]") == [None, worst["ply"]], "back to where the line begins"
    # Another review may know no better line where one is shown.
    played.script("look(arguments[0], 0)", worst["ply"])
    played.script("const other = structuredClone(game); other.version++; other.review.moves = []; take({ game: other, live })")
    assert played.script("return [peek, game.review.moves.length]") == [None, 0]
    played.browser.refresh()
    played.wait(lambda: played.script("return !!game && !!game.review"), "the review again")
    # The graph leads to a move, too.
    played.over_graph(0.5)
    assert abs(played.script("return shown() / game.moves.length") - 0.5) < 0.1
    # Two keys go through the marked moves.
    marked = [ply + 1 for ply, sign in enumerate(played.script("return game.moves.map(move => move.sign)")) if sign]
    press(played, Keys.HOME)
    for way, keys in ((marked, "n"), (marked[-2::-1], "N")):
        for ply in way:
            press(played, keys)
            assert played.script("return shown()") == ply
    press(played, "N")
    assert played.at("said").text == "No more marked moves." and played.script("return live.judged") == 100
    press(played, Keys.END)
    print("a review, of both sides, to click through")


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


def heard(played):
    """What a screen reader says beside what is to be seen."""
    return played.at("heard").get_attribute("textContent").strip("\u00a0")


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
    tab_to(played, "begin")
    press(played, Keys.ENTER)
    played.wait(lambda: played.script("return game.kashan === null && !game.moves.length"), "both sides, by the keyboard")
    board = played.at("board")
    # The cursor begins at e2, is seen and said.
    tab_to(played, "board")
    assert played.count("rect.cursor:not(.under)") == 1 and heard(played) == "Board, White to move. Cursor on e2, white pawn"
    for key in (Keys.ENTER, Keys.ARROW_UP, Keys.ARROW_UP, Keys.ENTER):
        board.send_keys(key)
    played.wait(lambda: played.moves() == ["e4"], "e4 by the cursor keys")
    played.at("text").send_keys("Nf6" + Keys.ENTER)
    played.wait(lambda: played.moves() == ["e4", "Nf6"], "Nf6 as it is written")
    board.send_keys(Keys.ARROW_UP)
    played.wait(lambda: played.at("said").text.startswith("e5"), "the square is said")
    # The pages go through the game without leaving the board.
    board.send_keys(Keys.PAGE_UP)
    assert played.script("return shown()") == 1
    board.send_keys(Keys.PAGE_DOWN)
    assert played.script("return shown()") == 2
    board.send_keys(Keys.ARROW_UP)
    played.wait(lambda: played.at("said").text.startswith("e6"), "the cursor goes on")
    board.send_keys(Keys.ARROW_DOWN)
    assert played.at("said").get_attribute("role") == "status"
    played.at("text").send_keys("Ke5" + Keys.ENTER)
    played.wait(lambda: "Ke5" in played.at("said").text or "illegal" in played.at("said").text, "what was wrong is said")
    # The next move takes the place of what was refused.
    press(played, "a3", Keys.ENTER)
    played.wait(lambda: played.moves() == ["e4", "Nf6", "a3"], "a3 in place of Ke5")
    # What stays the same is not said again.
    same = "const [node, done] = [document.getElementById('status').firstChild, arguments[0]]; setTimeout(() => done(node === document.getElementById('status').firstChild), 1000)"
    assert played.browser.execute_async_script(same)
    press(played, Keys.ESCAPE, "v")
    assert heard(played).startswith("2. a3. White's winning chances"), heard(played)
    # In a new game the cursor begins at e7 for who plays Black, and up is towards White.
    played.new_game("1s", "white")
    played.load("7k/8/8/8/8/8/4p3/K7 b - - 0 1")
    tab_to(played, "board")
    press(played, *[Keys.ARROW_UP] * 5, Keys.ENTER)
    played.wait(lambda: played.at("said").text == "black pawn picked up", "what is picked up is said")
    # An answer that brings the same game once more, because two were asked for, takes nothing away; nor does another one
    # with the same board.
    played.script("take({ game: { ...game }, live }); game.version--; take({ game: { ...game, version: game.version + 1 }, live })")
    assert played.at("said").text == "black pawn picked up"
    press(played, Keys.ARROW_UP, Keys.ENTER)
    played.wait(lambda: played.script("return document.getElementById('promotion').open"), "what it becomes is asked")
    press(played, Keys.ENTER)
    played.wait(lambda: played.moves()[:1] == ["e1=Q+"], "a queen by the keyboard")
    # So it is for a square that is typed.
    played.click("undo")
    played.wait(lambda: not played.moves(), "the pawn again")
    played.at("text").send_keys("e1" + Keys.ENTER)
    played.wait(lambda: played.script("return document.getElementById('promotion').open"), "what it becomes is asked")
    press(played, Keys.ESCAPE)
    # Keys of one letter can be switched off.
    played.script("document.activeElement.blur()")
    turned = played.script("return lowerIsBlack()")
    for letters, is_turned in ((False, turned), (True, not turned)):
        played.script("set('letters', arguments[0])", letters)
        time.sleep(0.7)
        press(played, "f")
        assert played.script("return lowerIsBlack()") == is_turned
    press(played, "f")
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


def the_tree_is_drawn(played):
    """The best branch straight, births in colours, and words for those who do not see it."""
    assert 10 < played.count("#tree g[data-index]:not(.gone)") <= 40
    # What has died fades where it was, and what lives slides to its row.
    best = "return [...document.querySelectorAll('#tree .best:not(.gone) rect')].map(rect => rect.getBoundingClientRect().y)"
    played.wait(lambda: len(rows := played.script(best)) > 2 and max(rows) - min(rows) < 2, "the best branch is straight")
    assert played.count("#tree .growth, #tree .crossover, #tree .mutation")
    label = played.at("tree").get_attribute("aria-label")
    assert "The best branch: " in label and "Other first moves: " in label, label
    assert played.count("#changes rect") and "The best branch began with " in played.at("changed").text
    # Paused it stays as it is, once what has died has faded.
    press(played, "p")
    assert played.at("pause").text == "Go on"
    time.sleep(2)
    still = played.script("return document.getElementById('tree').innerHTML")
    time.sleep(1)
    assert played.script("return document.getElementById('tree').innerHTML.length") == len(still)
    press(played, "p")
    assert played.at("pause").text == "Pause"
    # A question mark explains in a sentence, with a drawing.
    for mark in played.browser.find_elements(By.CSS_SELECTOR, ".why")[:3]:
        mark.click()
        assert played.at("why").is_displayed() and played.count("#why svg path")
        press(played, Keys.ESCAPE)
        played.wait(lambda: not played.at("why").is_displayed(), "Escape closes it")


def the_search_is_seen(played):
    played.click("new")
    form = played.browser.find_element(By.CSS_SELECTOR, "#setup form")
    Select(form.find_element(By.NAME, "level")).select_by_value("30s")
    Select(form.find_element(By.NAME, "strength")).select_by_value("max")
    form.find_element(By.CSS_SELECTOR, "button[value=play]").click()
    played.wait(lambda: played.script("return game.level").startswith("30 seconds"), "the level of the dialog")
    for mv in ("e2e4", "g1f3"):
        played.wait(lambda: played.script("return mine()"), "the user's turn")
        played.click_move(mv)
        seen = "return live.thinks && live.search && live.search.fen == game.fens[game.moves.length] && live.search.genetic?.generation"
        played.wait(lambda: played.script(seen), "a generation")
        generation = played.script(seen)
        played.wait(lambda: (played.script(seen) or 0) > generation + 10, "it goes on")
        # One line says it all, and three arrows.
        considered = played.at("considers").text
        assert considered.startswith("Kashan considers ") and " %" in considered and "generations" in considered, considered
        played.wait(lambda: 2 <= played.count("#arrows line") <= 3, "arrows")
        if not played.script("return at('search').open"):
            assert not played.at("figures").is_displayed()
            press(played, "s")
        played.wait(lambda: played.at("figures").is_displayed(), "the opened search")
        time.sleep(3)
        played.picture("desktop")
        # In one question: between two of them the search may have gone on.
        efforts = "const rows = document.querySelectorAll('#efforts li').length; return rows == live.search.considered.length && rows < 20"
        played.wait(lambda: played.script(efforts), "a row for each move that is considered")
        figures = played.script("return document.getElementById('figures').textContent")
        assert all(name in figures for name in ("Generations", "Crossover", "Mutation", "Growth", "H", "P")), figures
        the_tree_is_drawn(played)
        # On a busy machine it may have moved already.
        played.script("if (live.thinks) at('now').click()")
        played.wait(lambda: played.script("return mine() && game.moves[game.moves.length - 1].page"), "a page that explains")
    game = played.browser.current_window_handle
    played.click("explain")
    played.wait(lambda: len(played.browser.window_handles) == 2, "the page in a tab")
    played.browser.switch_to.window([tab for tab in played.browser.window_handles if tab != game][0])
    played.wait(lambda: played.browser.title.startswith("Kashan: a search of"), "its title")
    assert played.count("#board use"), "its board"
    assert 10 < played.count("#drawing g[data-index]") <= 40, "its tree"
    played.script("document.querySelector('#drawing g[data-index]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert played.count("#tree .chosen"), "a node of the drawing leads to its place"
    played.picture("explain")
    played.browser.close()
    played.browser.switch_to.window(game)
    print("the search is seen, and explained")


def screens(played):
    """All that a game needs is seen at once at the commonest size, and nothing is cut on a telephone."""
    played.new_game("1s", "both")
    for mv in ("e2e4", "e7e5", "g1f3"):
        played.click_move(mv)
    played.script("at('search').open = false; scrollTo(0, 0)")
    for width, height in ((1280, 800), (1024, 768), (1920, 1080)):
        played.screen(width, height)
        for name in ("upper", "board", "lower", "status", "moves", "undo", "hint", "resign", "considers"):
            box = played.script("return document.getElementById(arguments[0]).getBoundingClientRect().toJSON()", name)
            assert 0 <= box["top"] and box["bottom"] <= height and box["right"] <= width, f"{name} at {width} x {height}: {box}"
        lines = played.script("const list = at('moves'); return list.clientHeight / list.querySelector('li').clientHeight")
        assert lines >= 10, f"{lines} lines of moves at {width} x {height}"
        assert played.script("return document.documentElement.scrollWidth") <= width
        played.picture(f"game-{width}")
    for dark in (False, True):
        played.narrow(dark)
        width = played.script("return document.documentElement.scrollWidth")
        assert width <= 400, f"{width} columns on a screen of 400"
        played.picture("narrow-dark" if dark else "narrow")
        contrast(played)
    played.click_move("b8c6")
    played.media()
    played.desktop()
    print("screens of 1280, 1024, 1920 and 400")


def contrast(played):
    """Text against what is behind it: WCAG asks for 4.5 to 1."""
    measure = """
        const channel = value => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        const light = color => { const [r, g, b] = color.match(/[\\d.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
        const behind = node => { for (; node; node = node.parentElement) { const color = getComputedStyle(node).backgroundColor; if (!/, 0\\)$/.test(color)) return color; } return "rgb(255, 255, 255)"; };
        return [...document.querySelectorAll("p, button, small, b, li span, th, td, dt, dd, label, time, summary, a")]
            .filter(node => node.offsetParent && node.textContent.trim() && !node.matches('[disabled], [aria-disabled=true]') && !node.children.length)
            .map(node => { const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x); return [node.outerHTML.slice(0, 80), (a + 0.05) / (b + 0.05)]; })
            .filter(([, ratio]) => ratio < 4.5);
    """
    assert played.script(measure) == [], played.script(measure)


def browsing(played):
    """The arrow keys, Home and End go through the game, and the mouse does not change that."""
    played.new_game("1s", "both")
    # The king onto its rook castles, too.
    played.load("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    played.click_square("e1")
    played.click_square("a1")
    played.wait(lambda: played.moves() == ["O-O-O"], "castling")
    # Elsewhere it picks the rook up.
    played.load("8/8/8/8/8/k7/8/5K1R w - - 0 1")
    played.click_square("f1")
    played.click_square("h1")
    assert played.script("return [chosen, game.moves.length]") == ["h1", 0]
    played.new_game("1s", "both")
    for mv in ("e2e4", "d7d5", "e4d5", "d8d5"):
        played.click_move(mv)
    shown = lambda: played.script("return shown()")
    for key, ply, said in ((Keys.ARROW_LEFT, 3, "2. exd5"), (Keys.ARROW_LEFT, 2, "1... d5"), (Keys.ARROW_RIGHT, 3, "2. exd5"),
                           (Keys.HOME, 0, "Beginning of the game"), (Keys.END, 4, "2... Qxd5")):
        press(played, key)
        assert (shown(), heard(played)) == (ply, said), key
    # All the moves are one stop of the Tab key, and what is pressed keeps the focus.
    assert played.count("#moves button[tabindex='0']") == 1
    played.script("document.querySelector(`#moves button[data-ply='2']`).click()")
    played.script("document.querySelector(`#moves button[data-ply='2']`).focus()")
    press(played, Keys.ARROW_LEFT)
    assert played.script("return [shown(), document.activeElement.dataset.ply]") == [1, "1"]
    played.click("back")
    assert (shown(), played.script("return document.activeElement.id")) == (0, "back")
    assert played.at("back").get_attribute("aria-disabled") == "true"
    # A move is not typed into a position that is not shown.
    played.at("text").send_keys("Nf3" + Keys.ENTER)
    assert "Another position" in played.at("said").text and len(played.moves()) == 4
    played.at("text").clear()
    played.script("document.activeElement.blur()")
    press(played, Keys.END)
    words = played.at("position").get_attribute("textContent")
    assert "queen d5" in words and words.endswith("White to move."), words
    # What moved slides, unless motion is not wanted; the board says whose turn it is.
    moving = "show(0); show(1); return document.getElementById('squares').getAnimations({subtree: true}).length"
    assert played.script(moving) == 1, "a pawn slides"
    played.media(still=True)
    assert played.script(moving) == 0, "nothing moves"
    played.media()
    press(played, Keys.END)
    assert "+1" not in played.at("lower").text, "pawns were exchanged"
    played.script("set('bar', true)")
    assert played.at("bar").is_displayed() and "%" in played.at("bar").get_attribute("aria-label")
    press(played, "e")
    assert not played.at("bar").is_displayed()
    played.script("set('bar', null)")
    # All keys are said, and h is another way to it.
    for key in ("?", "h"):
        # The browser may still be busy with closing the dialog.
        shows = lambda: press(played, key) or played.at("keyboard").is_displayed()
        played.wait(shows, "the keys are shown")
        press(played, Keys.ESCAPE)
        played.wait(lambda: not played.at("keyboard").is_displayed(), "the keys are hidden")
        # A key that comes while the browser closes a dialog is lost.
        time.sleep(0.7)
    press(played, "f")
    assert played.script("return lowerIsBlack()")
    press(played, "f")
    # The right button draws an arrow, and a circle; a left click wipes them off.
    drag = "const at = name => { const box = document.querySelector(`rect[data-square=${name}]`).getBoundingClientRect(); return {clientX: box.x + 9, clientY: box.y + 9, button: 2, bubbles: true, pointerId: 1}; }; board.dispatchEvent(new PointerEvent('pointerdown', at(arguments[0]))); dispatchEvent(new PointerEvent('pointerup', at(arguments[1])))"
    played.script("scrollTo(0, 0)")
    played.script(drag, "b1", "c3")
    played.script(drag, "d5", "d5")
    assert (played.count("#arrows line"), played.count("#arrows circle")) == (1, 1)
    played.click_square("a5")
    assert played.count("#arrows *") == 0
    assert played.script("return fetch('game.pgn').then(answer => answer.text())").count("exd5") == 1
    print("browsing, the evaluation bar, keys, arrows and circles")


def copying_and_sound(played):
    """The position and the game are copied; a game is heard if that is wanted, and only then."""
    played.browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    played.new_game("1s", "both")
    played.click_move("e2e4")
    played.click("pgn")
    clipboard = "const done = arguments[0]; navigator.clipboard.readText().then(done, error => done(String(error)))"
    for name, text in (("copy-fen", played.script("return game.fens[1]")), ("copy-pgn", "1. e4")):
        played.click(name)
        played.wait(lambda: text in played.browser.execute_async_script(clipboard), f"{name} copies")
    played.browser.find_element(By.CSS_SELECTOR, "#exchange button[value='']").click()
    played.script("window.tones = 0; const start = OscillatorNode.prototype.start; OscillatorNode.prototype.start = function (when) { tones++; return start.call(this, when); }")
    heard = lambda: played.script("return tones")
    played.click_move("d7d5")
    assert heard() == 0, "a game is silent at first"
    choose = lambda: played.click("settings") or played.browser.find_element(By.CSS_SELECTOR, "#choices input[name=sound]").click() or played.browser.find_element(By.CSS_SELECTOR, "#choices button").click()
    choose()
    played.click_move("g1f3")
    assert heard() == 1, "a move"
    played.click_move("d5e4")
    assert heard() == 3, "a capture has two knocks"
    choose()
    played.click_move("f3g5")
    assert heard() == 3, "silence again"
    print("copies, and sounds")


def a_hint_and_a_premove(played):
    played.script("return send({do: 'new', side: 'white', level: '1s', preset: 'strong', strength: 'max'})")
    played.wait(lambda: played.script("return mine() && game.kashan === 'Black' && !game.moves.length"), "a game against Kashan")
    played.click("hint")
    played.wait(lambda: played.script("return game.hint") and played.count("#arrows line") == 1, "the hint is an arrow")
    played.script("return send({do: 'new', side: 'white', level: '30s', preset: 'strong', strength: 'max'})")
    played.wait(lambda: played.script("return mine() && !game.moves.length"), "another game")
    played.click_move("a2a3")
    played.wait(lambda: played.script("return early()"), "Kashan thinks")
    played.click_square("h2")
    played.click_square("h3")
    assert played.count("rect.premove") == 2 and "h2–h3" in played.at("status").text
    played.click("now")
    played.wait(lambda: played.moves()[2:3] == ["h3"], "the move that was made in advance")
    played.click("undo")
    print("a hint, and a move in advance")


def an_analysis(played):
    played.new_game("1s", "both")
    for mv in ("e2e4", "e7e5", "g1f3"):
        played.click_move(mv)
    press(played, Keys.ARROW_LEFT, "a")
    searched = "return game.analysis && live.search && live.search.fen === fenShown() && live.search.depth > 2"
    played.wait(lambda: played.script(searched), "the position on show is searched")
    assert played.script("return shown()") == 2 and played.at("bar").is_displayed()
    played.click_square("f1")
    played.click_square("c4")
    played.wait(lambda: played.moves() == ["e4", "e5", "Bc4"], "a variation")
    played.wait(lambda: played.script(searched), "and it is searched")
    played.script("at('search').open = true")
    for lines, others in ((3, 2), (1, 0)):
        played.click("lines")
        played.wait(lambda: played.script("return game.lines") == lines and played.count("#others li") == others, f"{lines} lines")
    press(played, Keys.HOME)
    played.wait(lambda: played.script(searched), "so is the beginning")
    played.picture("analysis")
    # What cannot be read ends no analysis, and stays to be corrected.
    played.paste("garbage")
    played.wait(lambda: played.script("return document.getElementById('exchange').open") and "cannot be read" in played.at("copied").text, "the fault, beside the text")
    assert played.at("paste").get_attribute("value") == "garbage" and played.moves() == ["e4", "e5", "Bc4"] and played.script("return game.analysis")
    press(played, Keys.ESCAPE)
    # Its moves are not thrown away without a question.
    press(played, "a")
    played.browser.switch_to.alert.dismiss()
    assert played.script("return game.analysis") and played.moves() == ["e4", "e5", "Bc4"]
    played.click("game")
    played.wait(lambda: played.moves() == ["e4", "e5", "Nf3"], "the game again")
    press(played, "a")
    played.wait(lambda: played.script("return !game.analysis && !live.thinks"), "the end of the analysis")
    press(played, Keys.HOME, Keys.ARROW_RIGHT)
    played.click("from")
    played.wait(lambda: played.moves() == ["e4"] and played.script("return game.kashan === 'White' && mine()"), "a game from there")
    print("an analysis, and a game from a position of it")


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
    played.browser.switch_to.alert.accept()
    assert played.kashan.wait(PATIENCE) == 0
    played.wait(lambda: "has ended" in played.at("status").text, "the page knows")
    print("the end by the button")


PARTS = (a_whole_game, a_review, the_search_is_seen, screens, browsing, copying_and_sound, a_hint_and_a_premove, an_analysis, promotion_and_take_back, reload_and_two_tabs, keyboard_only,
         dragging, by_touch, strangers, the_end)
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.ExitStack() as at_last:
    played = Played(folder, at_last)
    for part in PARTS:
        part(played)
