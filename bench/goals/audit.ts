import type { Goal } from './goal';

/** Goals of what makes a log auditable. */
export const auditGoals: readonly Goal[] = [
  { goal: 'events stored for the rows below', ours: 'proof.stored' },
  { goal: 'annals verify of them', ours: 'proof.verify', floor: { atMost: 60_000 } },
  { goal: 'annals past --at their last one: served after', ours: 'proof.past', floor: { atMost: 60_000 } },
  { goal: 'events of the tree below', ours: 'proof.size' },
  { goal: 'events added to a tree and signed', ours: 'proof.tree' },
  { goal: 'GET /audit/proofs/inclusion: median', ours: 'proof.inclusion.p50', floor: { atMost: 10 } },
  { goal: 'GET /audit/proofs/inclusion: p99', ours: 'proof.inclusion.p99' },
  {
    goal: 'POST /messages on 64 connections, with index of the trail, tree and checkpoints / without',
    ours: 'audited.with.rate',
    limit: 'audited.without.rate',
    floor: { atLeast: 0.97 },
  },
  {
    goal: 'processor time of a send, with index of the trail, tree and checkpoints / without',
    ours: 'audited.with.cpu',
    limit: 'audited.without.cpu',
    floor: { atMost: 1.03 },
  },
  { goal: 'the same: worker', ours: 'audited.with.worker', limit: 'audited.without.worker' },
];
