//! The file of a board at a table, for referees: who called, what was refused, what connections have shown, warnings. It
//! stays when the event is over.

use actix_web::web;
use maud::html;
use serde_json::Value;

use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::floor::facts;
use super::{Standing, head};
use crate::web::problem::Problem;
use crate::words::Message;

/// The page.
///
/// # Errors
/// There is no such event for this visitor, or no such board at such a table.
pub async fn page(mut visit: Visit, path: web::Path<(String, String, String)>) -> Shown {
    let (id, board, table) = path.into_inner();
    let standing = Standing::of(&mut visit, &id).await?;
    let number = |text: &str| text.parse::<u32>().ok();
    let found = number(&board).zip(number(&table)).filter(|(board, table)| {
        let here = |round: &crate::formats::Round| {
            round.boards.contains(board) && round.tables.iter().any(|one| one.table == *table)
        };
        standing.rounds.iter().any(here)
    });
    let (board, table) = found.ok_or_else(|| Problem::missing("board"))?;
    let title = visit.tell(&Message::plain("floor-file-title").with("board", board).with("table", table));
    let replay = format!("/events/{}/boards/{board}/tables/{table}", standing.row.id);
    let main = html! {
        (head(&visit, &standing, "/floor"))
        h1 { (title) }
        p.row {
            a.button.quiet href={ (standing.desk()) "/floor#table=" (table) } { (visit.say("floor-to-floor")) }
            a.button.quiet href=(replay) { (visit.say("floor-to-replay")) }
            a.button.quiet href={ (standing.desk()) "/rulings" } { (visit.say("rulings-tab")) }
        }
        p.notice.bad #fault role="alert" hidden {}
        div #who {}
        div #file {}
        div #warnings {}
    };
    let mut data = facts(&visit, &standing);
    if let Value::Object(data) = &mut data {
        data.insert("board".to_owned(), board.into());
        data.insert("table".to_owned(), table.into());
    }
    let content = Content {
        words: &["organize-js", "who", "floor"],
        style: Some("floor.css"),
        ..Content::desk(title, main, "board-file.js", data)
    };
    Ok(layout::found(&visit, &content))
}
