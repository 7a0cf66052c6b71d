// Many clients at a time, on HTTP, on stdio and with `call --stdin`: small listings and maps beside million-entry ones.
//
//     node test/hardening/load.js --minutes 5
//
// It takes that long for each of the three, prints a table of it, and ends with 1 if a promise was broken:
//   - no error, and no wrong answer; one that the time limit cut short is wrong
//   - a small listing takes less than 10 times as long as when nobody else asks, at the median and at the 99th percentile
//   - memory returns to where it was after the warm-up, within 10 %
//   - no descriptor stays open, and no process that was started
// `--brief` takes seconds, with a few clients and small trees, and holds the first and the last promise alone: so little
// says nothing about time and memory. `--face http` chooses among http, stdio and stdin.
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { http, stdin, stdio } from './load-faces.js';
import { mixOf } from './load-work.js';

const FACES = { http, stdio, stdin };

const CUT_SHORT = /the time limit was reached|out of time/;

/** So many of the kinds, from the first, take milliseconds. */
const QUICK = 3;

const SLOWER = 10;
const MORE_MEMORY = 1.1;

/** How long the calls of each kind took, in milliseconds, and what went wrong. */
class Tally {
  times = new Map();
  /** The part of it in which the server ran, for whomever: what it would take if the server had a core of its own. */
  served = new Map();
  faults = new Map();
  #server;

  constructor(server) {
    this.#server = server;
  }

  async time(ask, { name, next }) {
    const call = next();
    const { ran } = this.#server.scheduled();
    const started = performance.now();
    try {
      const answer = await ask(call);
      if (!call.isRight(answer)) throw new Error(CUT_SHORT.exec(answer)?.[0] ?? `wrong: ${answer.slice(0, 200)}`);
    } catch ({ message }) {
      const fault = `${name}: ${message}`;
      this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    }
    note(this.times, name, performance.now() - started);
    note(this.served, name, 1000 * (this.#server.scheduled().ran - ran));
  }
}

function note(lists, name, value) {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  list.push(value);
}

const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    brief: { type: 'boolean', default: false },
    face: { type: 'string', multiple: true, default: Object.keys(FACES) },
  },
});
const settings = given.brief
  ? { seconds: 1, warmUp: 0.5, scale: 1 / 8, pace: 1 / 10, idleCalls: 40, entries: 5_000 }
  : { seconds: 60 * Number(given.minutes), warmUp: 30, scale: 1, pace: 1, idleCalls: 1000, entries: 1_000_000 };

const { roots, kinds } = mixOf(settings.entries, console.log);
const small = kinds[0];
let isBroken = false;
for (const name of given.face) {
  const face = await FACES[name](roots);
  try {
    const outcome = await measure(face);
    const promises = promisesOf(outcome);
    print(name, outcome, promises);
    isBroken ||= promises.some(({ isKept }) => !isKept);
  } finally {
    await face.server.end();
  }
}
process.exitCode = isBroken ? 1 : 0;

async function measure(face) {
  const [warmUp, idle, load] = Array.from({ length: 3 }, () => new Tally(face.server));
  // What is compiled, opened and kept at the first calls is no leak. It takes hundreds of them, and a face that answers
  // in turn has not had as many after half a minute.
  const [{ ask }] = face.clients(1);
  for (const kind of kinds) await warmUp.time(ask, kind);
  for (let call = 0; call < settings.idleCalls; call++) await warmUp.time(ask, kinds[call % QUICK]);
  face.hangUp();
  await together(face, settings.warmUp, warmUp, 2);
  const before = await settled(face, null);
  await oneAtATime(face, idle);
  const started = face.server.scheduled();
  await together(face, settings.seconds, load);
  const ended = face.server.scheduled();
  const after = await settled(face, before);
  return {
    idle,
    load,
    all: [warmUp, idle, load],
    before,
    after,
    said: face.server.complaints(),
    ran: ended.ran - started.ran,
    waited: ended.waited - started.waited,
    isInTurn: face.isInTurn,
  };
}

/** Everybody makes the calls of one kind, and at least so many; who is alone makes all kinds in turn. */
async function together({ clients, hangUp }, seconds, tally, least = 0) {
  const wanted = kinds.flatMap((kind) => Array(Math.ceil(kind.clients * settings.scale)).fill(kind));
  const found = clients(wanted.length);
  const end = performance.now() + 1000 * seconds;
  await Promise.all(
    found.map(async ({ ask }, i) => {
      for (let call = 0; call < least || performance.now() < end; call++) {
        const kind = found.length === wanted.length ? wanted[i] : kinds[call % kinds.length];
        await pause(2 * Math.random() * kind.pause * settings.pace);
        await tally.time(ask, kind);
      }
    }),
  );
  hangUp();
}

/** The clients that ask for small listings. */
async function oneAtATime({ clients, hangUp }, tally) {
  const found = clients(Math.ceil(small.clients * settings.scale));
  for (let call = 0; call < settings.idleCalls; call++) await tally.time(found[call % found.length].ask, small);
  hangUp();
}

/**
 * What the server holds when nobody asks any more: once it is what it held `before`, or what it held at the last look;
 * or after five seconds whatever it is.
 */
async function settled({ server }, before) {
  let last = null;
  for (let looks = 0; ; looks++) {
    const now = { descriptors: server.descriptors(), children: server.children() };
    const isDone = now.children.length === 0 && `${now.descriptors}` === `${(before ?? last)?.descriptors}`;
    if (isDone || looks === 25) return { ...now, memory: await server.memory() };
    last = now;
    await pause(200);
  }
}

function promisesOf({ idle, load, all, before, after, said, isInTurn }) {
  const faults = all.flatMap((tally) => [...tally.faults]);
  const complaints = said === '' ? [] : [[`stderr: ${said}`, 1]];
  const kept = [
    {
      name: 'errors and wrong answers',
      isKept: faults.length + complaints.length === 0,
      detail: [...faults, ...complaints],
    },
    {
      name: 'descriptors left open',
      isKept: `${after.descriptors}` === `${before.descriptors}`,
      detail: [`${before.descriptors.length} before, ${after.descriptors.length} after`, ...added(before, after)],
    },
    { name: 'processes left', isKept: after.children.length === 0, detail: after.children },
  ];
  if (given.brief) return kept;
  for (const what of ['rss', 'heapUsed', 'external']) {
    const [was, is] = [before.memory[what], after.memory[what]];
    kept.push({
      name: `memory, ${what}`,
      isKept: is <= MORE_MEMORY * was,
      detail: [`${megabytes(was)} → ${megabytes(is)}`],
    });
  }
  // Where lines are answered in turn, a small call has to wait for a large one.
  if (isInTurn) return kept;
  for (const share of [0.5, 0.99]) {
    const [times, served] = ['times', 'served'].map((what) => {
      const [was, is] = [idle, load].map((tally) => quantile(tally[what].get(small.name), share));
      return { ratio: is / was, text: `${was.toFixed(2)} ms alone, ${is.toFixed(2)} ms under load` };
    });
    kept.push({
      name: `small listings, ${100 * share} %`,
      isKept: times.ratio < SLOWER,
      detail: [
        `${times.text}, ${times.ratio.toFixed(1)} times`,
        `${served.text}, ${served.ratio.toFixed(1)} times, without the time in which others had the core`,
      ],
    });
  }
  return kept;
}

function added(before, after) {
  const rest = [...after.descriptors];
  for (const name of before.descriptors) if (rest.includes(name)) rest.splice(rest.indexOf(name), 1);
  return rest.slice(0, 5);
}

function print(face, { load, ran, waited }, promises) {
  const loads = loadavg().map((value) => value.toFixed(1));
  console.log(`\n${face}: ${settings.seconds} s; the machine's load ${loads.join(' ')}`);
  console.log(`The server ran ${ran.toFixed(1)} s, and waited ${waited.toFixed(1)} s for a core that others had.`);
  console.log(
    `${'calls'.padEnd(28)}${['number', 'median ms', '99 % ms', 'most ms'].map((title) => title.padStart(11)).join('')}`,
  );
  for (const [name, times] of load.times) {
    const figures = [times.length, ...[0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(2))];
    console.log(`${name.padEnd(28)}${figures.map((figure) => String(figure).padStart(11)).join('')}`);
  }
  for (const { name, isKept, detail } of promises) {
    console.log(
      `${isKept ? 'kept  ' : 'BROKEN'}  ${name}${detail
        .slice(0, 5)
        .map((one) => `\n          ${[one].flat().join(' × ')}`)
        .join('')}`,
    );
  }
}

function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function megabytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
