import type { Actor, Aggregate } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { ensureAdministrator } from '../administrators';
import type { PictureName } from './realm-picture-events';
import { RealmPictureChanged } from './realm-picture-events';

/** The files of the organization's pictures. One without a file is that of every organization. */
export type RealmPictures = Readonly<Partial<Record<PictureName, string>>>;

/** Where a picture comes from: uploaded, by Gravatar, or the default. */
export function sourceOf(picture: PictureName, file: string | null): 'D' | 'G' | 'U' {
  if (file !== null) return 'U';
  return picture === 'icon' ? 'G' : 'D';
}

/** Key and name of the one stream of an organization's pictures. */
export const PICTURES = 'pictures';

export const picturesAggregate: Aggregate<RealmPictures, RealmPictureChanged, typeof PICTURES> = {
  stream: (key) => key,
  initial: {},
  evolve(state, { data: { picture, file } }) {
    const { [picture]: _, ...others } = state;
    return file === null ? others : { ...others, [picture]: file };
  },
};

/**
 * Replaces a picture, or removes it. Removing one that is not there changes nothing.
 *
 * @param file null for the picture that every organization has
 * @throws Rejected UNAUTHORIZED_PRINCIPAL for all but administrators
 */
export function changePicture(
  state: RealmPictures,
  picture: PictureName,
  file: string | null,
  by: Pick<Actor, 'role'>,
): RealmPictureChanged[] {
  ensureAdministrator(by);
  return (state[picture] ?? null) === file ? [] : [fact(RealmPictureChanged, { picture, file })];
}
