"""Asks a server by all calls of berserk's explorer, and prints the answers as JSON."""

import json
import sys

import berserk

explorer = berserk.Client(explorer_url=sys.argv[1]).opening_explorer
found = {
    "masters": explorer.get_masters_games(moves=5, since=2000, until=2022),
    "lichess": explorer.get_lichess_games(
        variant="standard", speeds=["blitz", "rapid"], ratings=["2200", "2500"], history=True
    ),
    "player": explorer.get_player_games(player="Tal, Mikhail", color="white", wait_for_indexing=True),
    "stream": list(explorer.stream_player_games(player="Tal, Mikhail", color="white")),
    "pgn": explorer.get_otb_master_game("1"),
}
try:
    explorer.get_masters_games(position="rubbish")
except berserk.exceptions.ResponseError as error:
    found["error"] = error.status_code
json.dump(found, sys.stdout, default=str)
