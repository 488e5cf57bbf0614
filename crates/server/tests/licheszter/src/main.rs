//! Asks a server as licheszter asks Lichess, and prints the answers as JSON: the types of the crate have read them.
//!
//!     licheszter-client http://127.0.0.1:9002

use futures_util::StreamExt as _;
use licheszter::client::Licheszter;
use licheszter::config::openings::{
    LichessOpeningsOptions, MastersOpeningsOptions, PlayerOpeningsOptions,
};
use licheszter::models::common::Color;
use licheszter::models::game::Speed;
use licheszter::models::openings::OpeningRatings;
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("expected the address of a server")?;
    let client = Licheszter::builder().with_openings_url(&url)?.build();
    let openings = client.openings();
    let masters =
        MastersOpeningsOptions::new().play(&["e2e4", "e7e5"]).since(1990).moves(3).top_games(2);
    let lichess = LichessOpeningsOptions::new()
        .speeds(&[Speed::Blitz, Speed::UltraBullet])
        .ratings(&[OpeningRatings::TwentyTwoHundred, OpeningRatings::TwentyFiveHundred])
        .since("2020-01")
        .until("2022-12")
        .recent_games(1)
        .history(true);
    let player = PlayerOpeningsOptions::new().since("2020-01").moves(5);
    let stream = openings.player("Tal, Mikhail", Color::White, Some(&player)).await?;
    let players: Vec<_> = stream.collect::<Vec<_>>().await.into_iter().collect::<Result<_, _>>()?;
    let answers = json!({
        "all": openings.masters(None).await?,
        "masters": openings.masters(Some(&masters)).await?,
        "lichess": openings.lichess(Some(&lichess)).await?,
        "player": players,
        "pgn": openings.masters_otb_game("1").await?,
        "error": openings.masters(Some(&masters.fen("no position"))).await.is_err(),
    });
    println!("{answers}");
    Ok(())
}
