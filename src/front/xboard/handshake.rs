//! `protover` and our features: only what works is declared.

use super::{Interrupt, TABLE_FORMAT, XboardFront};
use crate::front::NAME;
use crate::front::options::xboard_options;
use crate::protocol::xboard::{Feature, Reply};

impl XboardFront {
    /// `accepted` and `rejected`. A front end that rejects `sigint=0` goes on sending SIGINT before its
    /// commands.
    pub(super) fn feature_answered(&mut self, feature: &str, accepted: bool) {
        match feature {
            "debug" => self.debug = accepted,
            "sigint" if accepted => self.interrupt = Interrupt::End,
            "sigint" => self.interrupt = Interrupt::Attention,
            _ => {}
        }
    }

    /// Any version from 2 on is answered with the same features: the protocol grows by features, not by
    /// versions.
    pub(super) fn announce(&mut self, version: u32) {
        if version < 2 {
            return;
        }
        self.interrupt = Interrupt::End;
        for features in [
            // An hour instead of two seconds, should the machine be slow.
            "done=0",
            "ping=1 setboard=1",
            "usermove=1 san=0 time=1 draw=1 reuse=1 analyze=1 colors=0 sigint=0 sigterm=0 playother=1",
            "pause=1 nps=1 memory=1 smp=1 exclude=1 debug=1",
            &format!("variants=\"normal\" egt=\"{TABLE_FORMAT}\""),
            &format!("myname=\"{NAME}\""),
        ] {
            self.say(Reply::Features(Feature::parse_all(features)));
        }
        for option in xboard_options(self.engine.settings(), self.declares_all) {
            self.say(Reply::Features(vec![option]));
        }
        self.say(Reply::Features(Feature::parse_all("done=1")));
    }
}
