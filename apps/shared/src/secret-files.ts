import { readFileSync } from 'node:fs';
import { CannotStart, reasonOf } from '@annals/embedded';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that are secret, or contain a secret: each may be in a file that another variable names. */
const SECRETS = [
  'DATABASE_URL',
  'REDIS_URL',
  'ANNALS_OWNER_PASSWORD',
  'ANNALS_OWNER_API_KEY',
  'ANNALS_PUSH_ORG_KEY',
  'ANNALS_AUDIT_KEY',
  'ANNALS_SINK_CREDENTIALS',
  'ANNALS_SMTP_URL',
] as const;

const fileOf = (secret: string) => `${secret}_FILE`;

/** Names of the variables that name a file with a secret. */
export const SECRET_FILE_NAMES: readonly string[] = SECRETS.map(fileOf);

/**
 * The environment with the secrets from files, as Docker and Kubernetes provide them. A line break at the end of a file
 * does not belong to the secret. The variables with the names of files are removed.
 *
 * @throws CannotStart when a secret is given twice, or its file cannot be read or is empty
 */
export function withSecretFiles(env: Environment): Record<string, string | undefined> {
  const result = { ...env };
  for (const secret of SECRETS) {
    const variable = fileOf(secret);
    const file = env[variable]?.trim();
    delete result[variable];
    if (!file) continue;
    if (env[secret]?.trim()) throw new CannotStart(`${secret} and ${variable} are both set. Remove one of them.`);
    result[secret] = contentOf(variable, file);
  }
  return result;
}

function contentOf(variable: string, file: string): string {
  let content: string;
  try {
    content = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new CannotStart(`${variable} cannot be read: ${reasonOf(error)}.`);
  }
  if (content.trim() === '') throw new CannotStart(`${variable} names ${file}, which is empty.`);
  return content;
}
