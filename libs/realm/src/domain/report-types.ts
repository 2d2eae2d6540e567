/** Why a message can be reported to moderators, by the key of the API. Clients list them in this order. */
export const REPORT_TYPES = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
} as const;

export type ReportType = keyof typeof REPORT_TYPES;
