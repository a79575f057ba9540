//! What is known no more: behind labels, in and behind loops and switches, and where a pointer may reach.

use std::rc::Rc;

use lang_c::ast::{Label, LabeledStatement};

use super::super::change::{Effects, PlaceChange};
use super::super::place::Place;
use super::super::value::UnknownReason;
use super::CountingWalk;

impl<'p> CountingWalk<'p, '_> {
    /// A label: what others that lead here may have changed is not known.
    pub fn label(&mut self, labeled: &'p LabeledStatement) {
        match &labeled.label.node {
            Label::Identifier(_) => {
                let effects = self.summaries.changes.effects(self.function);
                self.forget_effects(&effects, "changes before a jump to a label, or behind it");
            }
            Label::Case(_) | Label::CaseRange(_) | Label::Default => {
                self.next_part();
                if let Some((before, reason)) = self.switches.last().cloned() {
                    self.environment.merge(&before, &reason);
                }
            }
        }
    }

    /// What statements change, or the functions that they call, is no longer known.
    pub fn forget_effects(&mut self, effects: &Effects<'p>, why: &str) {
        self.forget(effects.forgotten_changes(), why);
        self.forget_called(&effects.forgotten_calls());
    }

    /// What changes is no longer known.
    pub fn forget<'c>(&mut self, changes: impl Iterator<Item = &'c PlaceChange<'p>>, why: &str)
    where
        'p: 'c,
    {
        for change in changes {
            let at = change.offset;
            self.lose(&change.place, |walk, place| match place {
                Place::Path(path) | Place::Elements(path) => {
                    UnknownReason::new(walk.parsed.original(at), format!("`{path}` {why}"))
                }
                Place::Anything => UnknownReason::new(walk.parsed.original(at), why),
            });
        }
    }

    /// What is at a place is no longer known, nor what the pointers that it is reached by may point to.
    pub fn lose(&mut self, place: &Place, reason: impl FnOnce(&Self, &Place) -> UnknownReason) {
        if self.environment.is_missed() {
            return;
        }
        let others = self.pointed_to(place);
        let place = &*self.resolved_place(place);
        if others.iter().chain([place]).all(|its| self.environment.holds_no_more(its)) {
            return;
        }
        let reason = reason(self, place);
        for other in others.iter().chain([place]) {
            self.environment.set(other, Err(reason.clone()), reason.offset);
        }
    }

    /// Whether it says nothing new that what is at a place is lost, whatever else is lost before.
    pub fn is_lost(&self, place: &Place) -> bool {
        let is_lost = |its: &Place| matches!(its, Place::Path(_)) && self.environment.holds_no_more(its);
        is_lost(&self.resolved_place(place)) && self.pointed_to(place).iter().all(is_lost)
    }

    /// What a place may be: what the pointer that it is reached by was given somewhere in the function, and what the program gives to it.
    pub fn pointed_to(&self, place: &Place) -> Rc<[Place]> {
        let others = self.summaries.changes.others(self.function);
        match self.environment.alias(place.root()).is_some() {
            true => others.given_to(&self.resolved_place(place)),
            false => others.of(place),
        }
    }
}
