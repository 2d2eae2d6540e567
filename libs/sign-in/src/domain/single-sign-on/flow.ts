import type { ProviderIdentity } from './identities';
import { isOneTimePad } from './one-time-pad';
import { reject } from './sign-on-rejections';

/** Somebody whose identity another system has proved. */
export interface ProvenPerson {
  /** As in `authentication_methods`. */
  readonly method: 'OpenID Connect' | 'SAML' | 'JWT' | 'RemoteUser';
  /** Name of the provider in the file. */
  readonly provider: string;
  /** Null for systems that know people by their address alone. */
  readonly identity: ProviderIdentity | null;
  /** Null unless the system vouches for it. */
  readonly verifiedEmail: string | null;
  readonly fullName: string | null;
  /** They get an account without being asked, if they may join. */
  readonly joinsAtOnce: boolean;
}

/** Where somebody goes who has logged in. */
export interface SignOnTarget {
  /** A path of this server. Null for none in particular. */
  readonly next: string | null;
  /** The pad of an app on a phone. */
  readonly mobileOtp: string | null;
  /** The key of an app on a desktop. */
  readonly desktopOtp: string | null;
  /** The token of a link that invites them. */
  readonly invitation: string | null;
}

interface RequestedPads {
  readonly mobile_flow_otp?: string | undefined;
  readonly desktop_flow_otp?: string | undefined;
}

/**
 * The pads of apps in a request.
 *
 * @throws Rejected BAD_REQUEST for what is no pad, or for two of them
 */
export function checkedPads({
  mobile_flow_otp: mobileOtp = null,
  desktop_flow_otp: desktopOtp = null,
}: { readonly [Name in keyof RequestedPads]?: RequestedPads[Name] | null }): Pick<
  SignOnTarget,
  'mobileOtp' | 'desktopOtp'
> {
  for (const pad of [mobileOtp, desktopOtp]) if (pad !== null && !isOneTimePad(pad)) throw reject.badOtp();
  if (mobileOtp !== null && desktopOtp !== null) throw reject.twoOtps();
  return { mobileOtp, desktopOtp };
}
