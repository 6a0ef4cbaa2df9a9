/** The heuristics of github.com/brianberns/Hearts for examples/engine_player.py: `node engine.mjs claude|gemini`. */

import readline from "node:readline";
import { act } from "./App.js";

const SUITS = "CDHS"; // in their order
const RANKS = "23456789TJQKA";
const DIRECTIONS = { left: 0, right: 1, across: 2, hold: 3 };
const number = (card) => 13 * SUITS.indexOf(card[0]) + RANKS.indexOf(card[1]);
const name = (card) => SUITS[Math.floor(card / 13)] + RANKS[card % 13];

let seat, direction, hand, plays, leader;

function choose(isPass, cards) {
  const legal = [...cards].sort((a, b) => a - b);
  return act(process.argv[2], seat, direction, isPass, hand, legal, leader ?? seat, plays);
}

const answers = {
  round(words) {
    [seat, direction, plays, leader] = [Number(words[1]), DIRECTIONS[words[3]], [], null];
    hand = words.slice(words.indexOf("hand") + 1).map(number);
  },
  pass() {
    const before = hand;
    const passed = [1, 2, 3].map(() => {
      const card = choose(true, hand);
      hand = hand.filter((one) => one !== card);
      return card;
    });
    hand = before;
    return `pass ${passed.map(name).join(" ")}`;
  },
  passed(words) {
    const out = words.slice(0, 3).map(number);
    hand = [...hand.filter((card) => !out.includes(card)), ...words.slice(4, 7).map(number)];
  },
  played([who, card]) {
    leader ??= Number(who);
    plays.push(number(card));
    hand = hand.filter((one) => one !== number(card));
  },
  go: (words) => `card ${name(choose(false, words.map(number)))}`,
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(/\s+/);
  const answer = answers[word]?.(rest);
  if (answer) process.stdout.write(`${answer}\n`);
});
