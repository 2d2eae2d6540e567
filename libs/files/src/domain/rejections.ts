import { Rejected, rejection } from '@annals/kernel/domain';

/** Every refusal of this context (contract/messages.md section 11). */
export const reject = {
  tooLarge: (maxMib: number) =>
    new Rejected('BAD_REQUEST', `Uploaded file is larger than the allowed limit of ${maxMib} MiB`),
  quotaExceeded: rejection('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota."),
  unknownAttachment: rejection('BAD_REQUEST', 'Invalid attachment'),
  noSuchFile: rejection('BAD_REQUEST', 'File not found.', { notFound: true }),
  notForYou: rejection('BAD_REQUEST', 'You are not authorized to view this file.', {
    forbidden: true,
    onPages: 'hiddenFile',
  }),
  noThumbnailsAwaited: rejection('BAD_REQUEST', 'This file awaits no thumbnails.'),
  noSuchThumbnail: rejection('BAD_REQUEST', 'This file has no such thumbnail.', { notFound: true }),
  invalidLink: rejection('BAD_REQUEST', 'Invalid or expired link', { onPages: 'endedLink' }),
};
