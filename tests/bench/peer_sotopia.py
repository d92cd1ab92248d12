"""A program for the environment of sotopia: its own batch runner against the stub, timed.

    python -P peer_sotopia.py URL EPISODES

Two agents, round-robin, 20 turns, a judge that says nothing, its log silenced, nothing pushed. It
prints seconds, turns, calls and the most memory in MB, as JSON. Imports, agents and a warm-up are
not in the time.
"""

import asyncio
import json
import logging
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("SOTOPIA_STORAGE_BACKEND", "local")
os.environ.setdefault("CUSTOM_API_KEY", "EMPTY")
os.environ.setdefault("OPENAI_API_KEY", "EMPTY")
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

from sotopia.agents import LLMAgent
from sotopia.database import AgentProfile, EnvironmentProfile
from sotopia.envs import ParallelSotopiaEnv
from sotopia.envs.evaluators import Evaluator, RuleBasedTerminatedEvaluator
from sotopia.server import run_async_server

sys.path.append(str(Path(__file__).parent))  # last, so that nothing of ours is in its way

from memory import most

TURNS = 20

WARM_UP, WARM_TURNS = 64, 5
"""Episodes and their turns, as in `chainer.py`."""

PEOPLE = (
    {
        "pk": "amara",
        "first_name": "Amara",
        "last_name": "Hill",
        "age": 29,
        "occupation": "Biologist",
        "gender": "Woman",
        "gender_pronoun": "She/her",
        "public_info": "Spends her evenings counting owls, and is known for it in three villages.",
        "personality_and_values": "Open, patient, and slow to trust. Decides by looking twice.",
        "secret": "She has sold a map of the nests.",
    },
    {
        "pk": "jonas",
        "first_name": "Jonas",
        "last_name": "Brandt",
        "age": 41,
        "occupation": "Baker",
        "gender": "Man",
        "gender_pronoun": "He/him",
        "public_info": "Bakes before dawn and talks until noon.",
        "personality_and_values": "Warm and stubborn. Would rather be liked than right.",
        "secret": "He is about to close the shop.",
    },
)


class Silent(Evaluator):
    """An empty list of judges is refused at the last turn."""

    prompt = ""

    def __call__(self, turn_number, messages, **kwargs):  # type: ignore[no-untyped-def]
        return []

    async def __acall__(self, turn_number, messages, **kwargs):  # type: ignore[no-untyped-def]
        return []


def combination(model: str, turns: int):  # type: ignore[no-untyped-def]
    scene = EnvironmentProfile(
        pk="cake",
        codename="cake",
        source="ours",
        scenario="Two people share a cake.",
        agent_goals=["Get the larger half of the cake.", "Part as friends."],
        relationship=3,
    )
    env = ParallelSotopiaEnv(
        action_order="round-robin",
        model_name=model,
        evaluators=[RuleBasedTerminatedEvaluator(max_turn_number=turns, max_stale_turn=2)],
        terminal_evaluators=[Silent()],
        env_profile=scene,
    )
    agents = [LLMAgent(agent_profile=AgentProfile(**one), model_name=model) for one in PEOPLE]
    return env, agents


async def played(model: str, episodes: int, turns: int) -> float:
    combinations = [combination(model, turns) for _ in range(episodes)]
    begun = time.perf_counter()
    await run_async_server(
        env_agent_combo_list=combinations, tag="bench", push_to_db=False, using_async=True
    )
    return time.perf_counter() - begun


async def main(url: str, episodes: int) -> None:
    model = f"custom/structured-stub@{url}"
    await played(model, WARM_UP, WARM_TURNS)
    wall = await played(model, episodes, TURNS)
    turns = episodes * TURNS
    calls = WARM_UP * WARM_TURNS + turns
    print(json.dumps({"wall": wall, "turns": turns, "calls": calls, "rss": most()}), flush=True)
    # Its logging worker may hold up an ordinary end for ever.
    os._exit(0)


if __name__ == "__main__":
    logging.disable(logging.INFO)
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
