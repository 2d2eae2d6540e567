/** How much an organization may invite. */
export class InvitationOptions {
  /** @param perDay mails with invitations that one organization may send in a day */
  constructor(readonly perDay: number) {}
}
