/** The status of a mail that came back. */
const STATUS = /^Status:\s*([245]\.\d{1,3}\.\d{1,3})/im;
const ACTION = /^Action:\s*(\w+)/im;

/**
 * The status of RFC 3463 in a report of RFC 3464.
 *
 * @returns null if nothing failed for good
 */
export function failedStatus(report: string): string | null {
  const [, status = ''] = STATUS.exec(report) ?? [];
  const [, action = ''] = ACTION.exec(report) ?? [];
  return status.startsWith('5.') && action.toLowerCase() === 'failed' ? status : null;
}
