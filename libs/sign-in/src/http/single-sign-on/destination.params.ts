import { PathText, TextParam, localPath } from '@annals/web';
import type { SignOnTarget } from '../../domain/single-sign-on/flow';
import { checkedPads } from '../../domain/single-sign-on/flow';

/** Where somebody goes after the login, as clients and links name it. */
export class DestinationParams {
  @TextParam({ optional: true, about: 'A path of this server.' }) next?: string;
  @TextParam({ optional: true, about: '64 hexadecimal digits of an app on a phone.' }) mobile_flow_otp?: string;
  @TextParam({ optional: true, about: '64 hexadecimal digits of an app on a desktop.' }) desktop_flow_otp?: string;
  @TextParam({ optional: true, about: 'The token of a link that invites.' }) multiuse_object_key?: string;
}

/** A login at a provider of the file. */
export class ProviderParams extends DestinationParams {
  @PathText() kind: string;
  @PathText() provider: string;
}

/** A login at the only provider of a kind. */
export class OnlyProviderParams extends DestinationParams {
  @PathText() kind: string;
}

/** @throws Rejected BAD_REQUEST for pads that are none */
export function toDestination(params: DestinationParams): SignOnTarget {
  const { next, multiuse_object_key: key } = params;
  return {
    ...checkedPads(params),
    next: localPath(next) ?? null,
    invitation: key === undefined || key === '' ? null : key,
  };
}
