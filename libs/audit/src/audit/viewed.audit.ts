import { describeEvent } from '@annals/kernel';
import { Viewed } from '../domain/events';

export const auditDescriptions = [
  describeEvent(Viewed, {
    meaning: 'A user read the history of the organization.',
    commands: ['AuditReads'],
    sentence: ({ data: { endpoint, parameters } }) => {
      const asked = Object.entries(parameters).map(([name, value]) => `${name} ${textOf(value)}`);
      return [`read the history with ${endpoint}`, ...(asked.length === 0 ? [] : [` (${asked.join(', ')})`])];
    },
  }),
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
