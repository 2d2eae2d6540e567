/** What all pages share. */
export const pages = {
  somethingWrong: 'Something went wrong',
  notFound: 'This page does not exist',
  notFoundHint: 'The link may be incomplete, or too old.',
  notAllowed: 'You cannot do this',
  tooMany: 'Too many attempts',
  tooManyHint: 'Wait some minutes, then try again.',
  unavailable: 'The service is busy',
  unavailableHint: 'It is busy or restarting. Please try again in a moment.',
  noOrganization: 'There is no organization at this address',
  noOrganizationHint: 'Check the address for a mistake.',
  staleForm: 'This form is too old',
  staleFormHint: 'Go back, load the page again, and send it once more. Cookies must be allowed.',
  toStart: 'To the start page',
  required: 'required',
} as const;
