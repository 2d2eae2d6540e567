import type { EventDescription } from '@annals/kernel';
import { describeEvent } from '@annals/kernel';
import { AuthenticationMethodsChosen } from '../domain/authentication/authentication-events';

const chosen = describeEvent(AuthenticationMethodsChosen, {
  meaning: 'Ways to log in to the organization were turned on or off.',
  commands: ['ChangeSettings'],
  sentence: ({ data: { changed } }) => {
    const named = (isOn: boolean) =>
      Object.entries(changed)
        .filter(([, on]) => on === isOn)
        .map(([name]) => name)
        .join(', ');
    const parts = [
      ...(named(true) ? [`allowed login by ${named(true)}`] : []),
      ...(named(false) ? [`ended login by ${named(false)}`] : []),
    ];
    return [parts.join(' and ')];
  },
  changes: ({ data: { changed } }) =>
    Object.entries(changed).map(([method, after]) => ({
      property: `authentication_methods.${method}`,
      before: !after,
      after,
    })),
});

export const authenticationDescriptions: readonly EventDescription[] = [chosen];
