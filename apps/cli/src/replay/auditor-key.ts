import { readFile } from 'node:fs/promises';

/**
 * The email and the key in a `zuliprc`, as Zulip clients have it.
 *
 * @throws Error when the file cannot be read, or has not both of them
 */
export async function readZuliprc(path: string): Promise<{ email: string; key: string }> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`The file ${path} cannot be read.`);
  });
  const valueOf = (name: string) => new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)\\s*$`, 'm').exec(text)?.[1];
  const [email, key] = [valueOf('email'), valueOf('key')];
  if (email === undefined || key === undefined) throw new Error(`The file ${path} has no email and key of an account.`);
  return { email, key };
}
