"""Asks a server by all calls of berserk's explorer, reads its downloads in Arrow, and prints the answers as JSON."""

import json
import sys
from urllib.request import urlopen

import berserk
import pyarrow.ipc

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
with pyarrow.ipc.open_stream(urlopen(sys.argv[1] + "/api/games.arrow?columns=id,white,year")) as stream:
    found["games"] = stream.read_all().to_pylist()
for name, listed in [("longest", "sort=-plies"), ("first", "sort=date&limit=2")]:
    with pyarrow.ipc.open_stream(urlopen(f"{sys.argv[1]}/api/games.arrow?columns=id,plies&{listed}")) as stream:
        found[name] = [game["id"] for game in stream.read_all().to_pylist()]
    with urlopen(f"{sys.argv[1]}/api/search?{listed}") as answer:
        found[f"{name}_listed"] = [game["id"] for game in json.load(answer)["games"]]
with pyarrow.ipc.open_stream(urlopen(sys.argv[1] + "/api/explorer.arrow")) as stream:
    found["moves"] = stream.read_all().to_pylist()
try:
    explorer.get_masters_games(position="rubbish")
except berserk.exceptions.ResponseError as error:
    found["error"] = error.status_code
json.dump(found, sys.stdout, default=str)
