import type { FileImage } from '@annals/files';
import { transcodedAmong } from '@annals/files';
import type { FileId, RealmId } from '@annals/kernel/domain';
import type { ShownImage, TextOptions } from '@annals/markdown';
import type { Text } from './texts';

/** What is known of uploaded images, by their files. */
export type KnownImages = ReadonlyMap<FileId, FileImage>;

export const NO_IMAGES: KnownImages = new Map();

/** The path id of an upload: organization, key and name. */
const PATH = /^(\d{1,10})\/([0-9a-f]{2}\/[\w-]{24})\/[^/]+$/;

/** The files that some texts link to. */
export const filesOf = (texts: readonly Pick<Text, 'files'>[]): FileId[] => [
  ...new Set(texts.flatMap(({ files = [] }) => files)),
];

/** What the HTML of a text depends on besides the text: which of its files are images, and whether they have thumbnails. */
export const imageStates = ({ files = [] }: Pick<Text, 'files'>, images: KnownImages): string =>
  files.map((id) => images.get(id)?.state ?? 'none').join();

/**
 * How a text shows the uploads in it. It shows only images that it links to for good, so that its author had access to
 * them. A text of which the files are not known shows uploads as they are.
 */
export function imageLookup(
  realmId: RealmId,
  { files }: Pick<Text, 'files'>,
  images: KnownImages,
): Pick<TextOptions, 'image'> {
  if (files === undefined) return {};
  const byKey = new Map(
    files.flatMap((id) => {
      const image = images.get(id);
      return image ? [[image.key, image]] : [];
    }),
  );
  return {
    image: (path) => {
      const [, realm, key = ''] = PATH.exec(path) ?? [];
      const image = realm === String(realmId) ? byKey.get(key) : undefined;
      return image && image.state !== 'refused' ? shownImage(image) : undefined;
    },
  };
}

const shownImage = ({ contentType, width, height, isAnimated, formats }: FileImage): ShownImage => ({
  ...{ contentType, width, height, isAnimated },
  thumbnail: formats?.[0] ?? null,
  transcoded: transcodedAmong(formats ?? []),
});
