// xinxin (github.com/nathansttt/hearts) for examples/engine_player.py.
//
//     xinxin SIMULATIONS WORLDS     simulations of all worlds together, as in xinxin's main.cpp
//
// The seat is always xinxin's seat 0, the others follow to its left.  Before each question a whole round is made up that
// agrees with what the seat has seen; xinxin hides the unseen cards again and samples its own worlds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "Hearts.h"
#include "UCT.h"
#include "iiMonteCarlo.h"

using namespace hearts;
typedef std::vector<card> Cards;

static const char *RANKS = "AKQJT98765432", *SUITS = "SDCH";

static card read_card(const std::string &text)
{
    return Deck::getcard(strchr(SUITS, text[0]) - SUITS, strchr(RANKS, text[1]) - RANKS);
}

static std::string card_text(card c)
{
    return std::string(1, SUITS[Deck::getsuit(c)]) + RANKS[Deck::getrank(c)];
}

static std::mt19937_64 luck;
static int seat, direction;                       // direction: seats to the left that a pass goes
static Cards hand, passed, received;              // hand: as dealt
static std::vector<std::pair<int, card>> played;  // (seat relative to mine, card)
static int simulations, worlds;

static void remove_card(Cards &from, card c)
{
    Cards::iterator at = std::find(from.begin(), from.end(), c);
    if (at != from.end())
        from.erase(at);
}

// Hands after passing that agree with what was seen but for shown voids; mine is exact.
static std::vector<Cards> hands_after_pass()
{
    std::vector<Cards> hands(4);
    Cards unseen;
    hands[0] = hand;
    for (card c : passed)
        remove_card(hands[0], c);
    hands[0].insert(hands[0].end(), received.begin(), received.end());
    for (int suit = 0; suit < 4; suit++)
        for (int rank = 0; rank < 13; rank++)
            unseen.push_back(Deck::getcard(suit, rank));
    for (card c : hands[0])
        remove_card(unseen, c);
    for (const std::pair<int, card> &one : played)
        if (one.first) {
            hands[one.first].push_back(one.second);
            remove_card(unseen, one.second);
        }
    for (card c : passed)
        if (std::find(unseen.begin(), unseen.end(), c) != unseen.end()) {
            hands[direction].push_back(c);
            remove_card(unseen, c);
        }
    std::shuffle(unseen.begin(), unseen.end(), luck);
    for (int who = 1; who < 4; who++)
        while (hands[who].size() < 13) {
            hands[who].push_back(unseen.back());
            unseen.pop_back();
        }
    return hands;
}

// The round so far, up to my question.  before_pass: nothing has been passed yet.
static HeartsGameState *state_now(bool before_pass)
{
    std::vector<Cards> hands = hands_after_pass(), passes(4);
    if (!before_pass && direction) {
        for (int who = 0; who < 4; who++) {
            Cards &to = hands[(who + direction) % 4];
            passes[who] = who == 0 ? passed : (who + direction) % 4 == 0 ? received : Cards(to.begin(), to.begin() + 3);
        }
        std::vector<Cards> dealt = hands;
        for (int who = 0; who < 4; who++)
            for (card c : passes[who]) {
                remove_card(dealt[(who + direction) % 4], c);
                dealt[who].push_back(c);
            }
        hands = dealt;
    }
    HeartsGameState *state = new HeartsGameState(static_cast<int>(luck() >> 34));
    for (int who = 0; who < 4; who++) {
        iiMonteCarlo *search;
        UCT *tree = new UCT(simulations / worlds, 0.4);
        SimpleHeartsPlayer *player = new SafeSimpleHeartsPlayer(search = new iiMonteCarlo(tree, worlds));
        player->setModelLevel(2);
        tree->setPlayoutModule(new HeartsPlayout());
        tree->setEpsilonPlayout(0.1);
        search->setUseThreads(false);
        state->addPlayer(player);
    }
    state->setRules(kQueenPenalty | kMustBreakHearts | kQueenBreaksHearts | kNoQueenFirstTrick | kNoHeartsFirstTrick |
                    kLead2Clubs | (direction ? kDoPassCards : 0));
    state->Reset();
    state->SetInitialCards(hands);
    state->setPassDir(direction == 3 ? kRightDir : direction);
    state->setFirstPlayer(0);
    for (int who = 0; who < 4 && !before_pass && direction; who++)
        for (card c : passes[who]) {
            CardMove move(c, who);
            state->ApplyMove(&move);
        }
    for (const std::pair<int, card> &one : played) {
        CardMove move(one.second, one.first);
        state->ApplyMove(&move);
    }
    return state;
}

static void free_state(HeartsGameState *state)
{
    for (int who = 0; who < 4; who++) {
        iiMonteCarlo *search = static_cast<iiMonteCarlo *>(state->getPlayer(who)->getAlgorithm());
        delete search->getAlgorithm();
        delete search;
    }
    state->deletePlayers();
    delete state;
}

static card ask(HeartsGameState *state)
{
    Move *move = state->getPlayer(0)->Play();
    card c = static_cast<CardMove *>(move)->c;
    state->freeMove(move);
    return c;
}

static Cards read_cards(std::istringstream &words, int count)
{
    Cards found;
    std::string word;
    while (count-- && words >> word)
        found.push_back(read_card(word));
    return found;
}

static void answer(const std::string &line, FILE *out)
{
    std::istringstream words(line);
    std::string word, value;
    words >> word;
    if (word == "round") {
        passed.clear();
        received.clear();
        played.clear();
        while (words >> word && word != "hand") {
            if (word == "seat")
                words >> seat;
            else if (word == "passing") {
                words >> value;
                direction = value == "left" ? 1 : value == "across" ? 2 : value == "right" ? 3 : 0;
            } else if (word == "seed") {
                words >> value;
                luck.seed(std::strtoull(value.c_str(), 0, 10));
            }
        }
        hand = read_cards(words, 13);
    } else if (word == "pass") {
        HeartsGameState *state = state_now(true);
        fprintf(out, "pass");
        for (int i = 0; i < 3; i++) {
            CardMove move(ask(state), 0);
            state->ApplyMove(&move);
            fprintf(out, " %s", card_text(move.c).c_str());
        }
        fprintf(out, "\n");
        free_state(state);
    } else if (word == "passed") {
        passed = read_cards(words, 3);
        words >> word;  // "received"
        received = read_cards(words, 3);
    } else if (word == "played") {
        int who;
        words >> who >> word;
        played.push_back(std::make_pair((who - seat + 4) % 4, read_card(word)));
    } else if (word == "go") {
        HeartsGameState *state = state_now(false);
        fprintf(out, "card %s\n", card_text(ask(state)).c_str());
        free_state(state);
    }
    fflush(out);
}

int main(int argc, char **argv)
{
    simulations = argc > 1 ? atoi(argv[1]) : 100000;
    worlds = argc > 2 ? atoi(argv[2]) : 50;
    FILE *out = fdopen(dup(1), "w");  // xinxin itself prints to standard output
    if (!freopen("/dev/null", "w", stdout))
        return 1;
    std::string line;
    while (std::getline(std::cin, line))
        answer(line, out);
    return 0;
}
