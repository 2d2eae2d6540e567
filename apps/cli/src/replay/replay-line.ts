import type { StoredEvent } from '@annals/kernel';

/**
 * An event as one line of JSON. With the content of its sealed part and the salt, a reader can compute the commitment
 * again, and with it the leaf hash. `sealed_state` is `none` for an event without a sealed part.
 */
export function replayLine(event: StoredEvent, withWords: boolean): string {
  const { dataText, sealedText, salt, commitment, leafHash } = event;
  const fields = JSON.stringify({
    realm_id: event.realmId,
    position: event.position,
    stream: event.stream,
    version: event.version,
    type: event.type,
    v: event.v,
    at: new Date(event.at).toISOString(),
    actor_id: event.actorId,
    command_id: event.commandId,
    correlation: event.correlation,
    causation: event.causation,
    client: event.client,
    commitment: commitment?.toString('hex') ?? null,
    leaf_hash: leafHash.toString('hex'),
    sealed_state: sealedState(event, withWords),
    salt: withWords ? (salt?.toString('hex') ?? null) : null,
  });
  // The texts are what the hashes cover, so they are written as they are stored.
  return `${fields.slice(0, -1)},"data":${dataText},"sealed":${withWords ? (sealedText ?? 'null') : 'null'}}`;
}

function sealedState({ sealedText, commitment }: StoredEvent, withWords: boolean): string {
  if (commitment === null) return 'none';
  if (sealedText === null) return 'erased';
  return withWords ? 'shown' : 'withheld';
}
