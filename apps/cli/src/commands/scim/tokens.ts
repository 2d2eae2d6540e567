import type { Kernel } from '@annals/kernel';
import { systemActor } from '@annals/kernel';
import type { ListedToken } from '@annals/provisioning';
import { TokenIssue, endTokenAs, readTokens } from '@annals/provisioning';
import type { Settings } from '../../../../shared/src/settings';
import { dayOf, realmNamed } from '../organizations/named';

/** An opened installation, and where a command prints. */
export interface Running {
  readonly kernel: Kernel;
  readonly settings: Settings;
  readonly print: (line: string) => void;
}

/** The name of an organization. Left out: the first one. */
type Organization = string | undefined;

/** `annals scim token create`: issues a token with which a directory provisions people, and prints it. It is shown only now. */
export async function createToken(
  running: Running,
  named: Organization,
  { name, isReadOnly }: { readonly name: string; readonly isReadOnly: boolean },
): Promise<number> {
  const { kernel, print } = running;
  const by = systemActor(await realmNamed(running, named));
  const rights = isReadOnly ? 'read-only' : 'read-write';
  const { token } = await new TokenIssue(kernel).issue(by, { name, rights, expiresAt: null });
  print(token);
  return 0;
}

/** `annals scim token list`: the tokens that were not ended, without their secrets. */
export async function listTokens(running: Running, named: Organization, isJson: boolean): Promise<number> {
  const { kernel, print } = running;
  const realmId = await realmNamed(running, named);
  for (const token of await readTokens(kernel, realmId)) print(isJson ? JSON.stringify(inJson(token)) : lineOf(token));
  return 0;
}

/** `annals scim token end`: every process refuses the token from now on. */
export async function endToken(running: Running, named: Organization, id: number): Promise<number> {
  const { kernel, print } = running;
  const realmId = await realmNamed(running, named);
  const token = (await readTokens(kernel, realmId)).find(({ tokenId }) => tokenId === id);
  if (!token) throw new Error(`There is no token ${id}.`);
  await endTokenAs(kernel.work, systemActor(realmId), token.tokenId);
  print(`Ended the token ${id} (${token.name}).`);
  return 0;
}

const timeOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const inJson = ({ tokenId, name, rights, issuedBy, issuerIsOwner, issuedAt, expiresAt, usedAt }: ListedToken) => ({
  id: tokenId,
  name,
  rights,
  creator_id: issuedBy,
  creator_is_owner: issuerIsOwner,
  created: timeOf(issuedAt),
  expires: timeOf(expiresAt),
  last_used: timeOf(usedAt),
});

function lineOf({ tokenId, name, rights, issuerIsOwner, issuedAt, expiresAt, usedAt }: ListedToken): string {
  const expiry = expiresAt === null ? 'does not expire' : `expires ${dayOf(expiresAt)}`;
  const use = usedAt === null ? 'never used' : `last used ${dayOf(usedAt)}`;
  const creator = issuerIsOwner === false ? ', by somebody who is no owner now' : '';
  return `${tokenId}  ${name}: ${rights}, issued ${dayOf(issuedAt)}${creator}, ${expiry}, ${use}`;
}
