import type { TokenBearer } from '@annals/kernel';
import type { JsonObject } from '../../domain/scim/json';
import type { Operation } from '../../domain/scim/patch/operations';
import type { Versions } from '../../domain/scim/precondition';
import type { TokenId } from '../../domain/tokens/token-events';

/** A change of a resource: a whole one, or operations. */
export type ScimChange =
  | { readonly kind: 'replacement'; readonly body: JsonObject }
  | { readonly kind: 'operations'; readonly operations: readonly Operation[] };

/** A resource that a request names, with the version that it requires. */
export interface ScimTarget {
  /** As it was sent. */
  readonly id: string;
  /** Null: any version. */
  readonly versions: Versions | null;
}

export const tokenOf = ({ tokenId }: TokenBearer): TokenId => tokenId as TokenId;
