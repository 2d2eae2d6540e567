import type { Goal } from './goal';
import { HEAVY } from '../http/heavy-requests';

const heavy = Object.entries(HEAVY).map(([name, words]): Goal => ({
  goal: `the same: longest wait beside ${words}`,
  ours: `requests.${name}.longest`,
  floor: { atMost: 100 },
}));

/** Goals of the HTTP stack. */
export const httpGoals: readonly Goal[] = [
  {
    goal: 'POST /messages on 64 connections / bare HTTP stack',
    ours: 'http.messages.rate',
    limit: 'http.bare.rate',
  },
  { goal: 'POST /messages: p50', ours: 'http.messages.p50', limit: 'http.bare.p50' },
  { goal: 'POST /messages: p99', ours: 'http.messages.p99', limit: 'http.bare.p99' },
];

/** Goals of a whole server: disk, delivery, memory, large channels. */
export const serverGoals: readonly Goal[] = [
  { goal: 'disk for each message of 100 bytes', ours: 'disk.total', floor: { atMost: 1_200 } },
  { goal: "from the sender's answer to the receiver's: median", ours: 'latency.p50', floor: { atMost: 20 } },
  { goal: "from the sender's answer to the receiver's: p99", ours: 'latency.p99' },
  { goal: 'memory of the api with 5,000 idle polls', ours: 'polls.memory' },
  { goal: 'memory of each idle poll, its registration included', ours: 'polls.each' },
  { goal: "one message to 5,000 polls: from the sender's answer to the last receiver's", ours: 'polls.woken' },
  { goal: 'memory of the api with 5,000 open streams', ours: 'streams.memory' },
  { goal: 'memory of each open stream, its registration included', ours: 'streams.each' },
  {
    goal: '5,000 open streams without events: part of one processor, one api process',
    ours: 'streams.idle',
    floor: { atMost: 10 },
  },
  {
    goal: "one message to 5,000 streams: from the sender's answer to the last receiver's, median",
    ours: 'streams.woken',
    floor: { atMost: 1_000 },
  },
  { goal: 'the same: processor time of the api', ours: 'streams.cpu' },
  {
    goal: 'POST /users/me/presence, ping only, 20,000 people each minute: processor time of a request / bare HTTP stack',
    ours: 'presence.ping.cpu',
    limit: 'presence.bare.cpu',
  },
  { goal: 'the same: part of one processor, one api process', ours: 'presence.ping.share', floor: { atMost: 5 } },
  { goal: 'the same with all of them in the answer: processor time of a request', ours: 'presence.list.cpu' },
  {
    goal: '20,000 people subscribed to a channel by one request',
    ours: 'subscriptions.subscribe',
    floor: { atMost: 5_000 },
  },
  {
    goal: 'POST /messages to 20,000 subscribers / to 2',
    ours: 'subscriptions.all.rate',
    limit: 'subscriptions.two.rate',
    floor: { atLeast: 0.9 },
  },
  {
    goal: 'GET /users/me/subscriptions, 500 channels among 20,000 people: median',
    ours: 'subscriptions.own.p50',
    floor: { atMost: 100 },
  },
  {
    goal: 'POST /register of the same account: median',
    ours: 'subscriptions.register.p50',
    floor: { atMost: 300 },
  },
];

/** Goals of scheduled messages. */
export const schedulingGoals: readonly Goal[] = [
  {
    goal: '10,000 scheduled messages of 10,000 people, due in the same second: the last one sent after',
    ours: 'scheduling.many.took',
    floor: { atMost: 30_000 },
  },
  {
    goal: '10,000 scheduled messages of ten people, due in the same second: the last one sent after',
    ours: 'scheduling.few.took',
    floor: { atMost: 30_000 },
  },
];

/** How long one person waits while another sends heavy requests. */
export const fairnessGoals: readonly Goal[] = [
  { goal: 'GET /users/me: p99', ours: 'texts.quiet.p99' },
  { goal: 'the same, while somebody else reads pages of the worst texts, 40 at a time: p50', ours: 'texts.busy.p50' },
  {
    goal: 'the same, while somebody else reads pages of the worst texts, 40 at a time: p99',
    ours: 'texts.busy.p99',
    floor: { atMost: 100 },
  },
  {
    goal: 'GET /users/me in an organization of 20,000 people, nobody else sends anything: p99',
    ours: 'requests.alone.p99',
  },
  ...heavy,
  {
    goal: 'the same, while somebody else sends all of these at once, over and over: p99',
    ours: 'requests.all.p99',
    floor: { atMost: 100 },
  },
];
