import 'reflect-metadata';
import { resolve } from 'node:path';
import { CannotStart } from '@annals/embedded';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { SECRET_FILE_NAMES, withSecretFiles } from './secret-files';
import { IncomingMailSettings } from './settings/incoming-mail';
import { MailSettings } from './settings/mail';
import { OrganizationSettings } from './settings/organization';
import { RetentionSettings } from './settings/retention';
import { ServerSettings } from './settings/server';
import { ServiceSettings } from './settings/services';
import { SingleSignOnSettings } from './settings/single-sign-on';
import { refuseUnknown } from './unknown-settings';

/** The settings of one subject: a class whose properties have validators, and defaults unless they are optional. */
interface Subject {
  new (): object;
  /** Sets of settings of which either all are set or none. */
  readonly together?: readonly (readonly string[])[];
}

/** Everything that is set by environment. README has the same table in prose. */
export interface Settings
  extends
    ServerSettings,
    OrganizationSettings,
    RetentionSettings,
    ServiceSettings,
    SingleSignOnSettings,
    MailSettings,
    IncomingMailSettings {}

/** The subjects. A new one is a file in `settings/`, a line here, and a name in `Settings`. */
const SUBJECTS: readonly Subject[] = [
  ServerSettings,
  OrganizationSettings,
  RetentionSettings,
  ServiceSettings,
  SingleSignOnSettings,
  MailSettings,
  IncomingMailSettings,
];

/** Every property with a validator. */
const namesOf = (subject: Subject): readonly string[] => [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(subject, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];

/** Every setting there is. */
export const SETTING_NAMES: readonly string[] = SUBJECTS.flatMap(namesOf);

/** The values of what is not set. Optional settings have none. */
export const DEFAULT_SETTINGS: Readonly<Record<string, unknown>> = Object.fromEntries(
  SUBJECTS.flatMap((subject) => Object.entries(new subject())),
);

/** Every variable that is read: the settings, and those that name a file with a secret one. */
export const VARIABLE_NAMES: readonly string[] = [...SETTING_NAMES, ...SECRET_FILE_NAMES];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings in an environment. A variable with only blanks counts as not set.
 *
 * @param base folder that a relative data folder is in
 * @throws CannotStart with one sentence about the first wrong or unknown one
 */
export function readSettings(environment: Environment, base: string = process.cwd()): Settings {
  refuseUnknown(environment, VARIABLE_NAMES);
  const env = withSecretFiles(environment);
  const settings = Object.assign({}, ...SUBJECTS.map((subject) => readSubject(subject, env))) as Settings;
  return Object.assign(settings, { ANNALS_DATA_DIR: resolve(base, settings.ANNALS_DATA_DIR) });
}

/** @throws CannotStart */
function readSubject(subject: Subject, env: Environment): object {
  const given = namesOf(subject).filter((name) => env[name]?.trim());
  const values = Object.fromEntries(given.map((name) => [name, env[name]]));
  const settings = plainToInstance(subject, values, { exposeDefaultValues: true });
  const [mistake] = validateSync(settings, { stopAtFirstError: true });
  if (mistake) throw new CannotStart(Object.values(mistake.constraints ?? {})[0] ?? `${mistake.property} is wrong.`);
  for (const names of subject.together ?? []) {
    const missing = names.find((name) => !given.includes(name));
    if (missing === undefined || !names.some((name) => given.includes(name))) continue;
    throw new CannotStart(`${missing} must be set too. ${names.join(', ')} are needed together.`);
  }
  return settings;
}
