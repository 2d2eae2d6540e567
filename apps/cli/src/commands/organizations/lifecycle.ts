import { RealmDeletions } from '@annals/kernel';
import { MailFolder } from '@annals/mail';
import { deactivateOrganization, deleteOrganization, reactivateOrganization } from '@annals/realm';
import { mailFolderOf } from '../../../../shared/src/mail/mail-folder';
import { fileStoreOf } from '../../../../shared/src/modules/file-store';
import type { Named } from './named';
import { dayOf, titleOf } from './named';

/** The longest grace period, in days. */
const MAX_DAYS = 3_650;

/** `annals organizations deactivate`. May be repeated. @returns 0 */
export async function deactivate({ kernel, organization, print }: Named): Promise<number> {
  await deactivateOrganization(kernel, organization.id);
  print(`${titleOf(organization)} is deactivated. "annals organizations reactivate" takes it back.`);
  return 0;
}

/** `annals organizations reactivate`. May be repeated. @returns 0 */
export async function restore({ kernel, organization, print }: Named): Promise<number> {
  await reactivateOrganization(kernel, organization.id);
  print(`${titleOf(organization)} is active.`);
  return 0;
}

/**
 * `annals organizations delete`: a worker deletes it after the grace period.
 *
 * @returns 0
 * @throws Error for a grace period that is too long
 */
export async function remove(
  named: Named,
  { afterDays, dryRun = false }: { readonly afterDays: number; readonly dryRun?: boolean },
): Promise<number> {
  const { kernel, organization, print } = named;
  if (afterDays > MAX_DAYS) throw new Error(`The grace period can have ${MAX_DAYS} days at most.`);
  if (dryRun) return count(named);
  const at = await deleteOrganization(kernel, organization.id, afterDays);
  print(`${titleOf(organization)} is deactivated, and everything of it will be deleted on ${dayOf(at)}.`);
  print('Until then "annals organizations reactivate" takes it back.');
  return 0;
}

async function count({ kernel, settings, organization, print }: Named): Promise<number> {
  const folder = new MailFolder(mailFolderOf(settings));
  const deletions = new RealmDeletions(kernel, fileStoreOf(settings), folder);
  const { rows, files, bytes, mails } = await deletions.count(organization.id);
  print(`Of ${titleOf(organization)} would be deleted:`);
  for (const [table, number] of rows) print(`  ${number} rows of ${table}`);
  print(`  ${files} files of ${bytes} bytes`);
  print(`  ${mails.files} mails of ${mails.bytes} bytes in ${folder.path}`);
  return 0;
}
