import { t, userId } from '@annals/kernel/domain';

/** Facts of every event about a consumer: which one, and its owner. */
export const ofConsumer = { consumerId: t.Integer({ minimum: 1 }), ownerId: userId };

/** The subjects of these events. */
export const subjectsOf = (data: { readonly consumerId: number; readonly ownerId: number }) =>
  [
    ['consumer', data.consumerId],
    ['user', data.ownerId],
  ] as const;
