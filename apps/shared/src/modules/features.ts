import { ServerFeatures } from '@annals/realm';
import type { SignOnProviders } from '@annals/sign-in';
import { serverSignInOf } from '@annals/sign-in';
import type { Settings } from '../settings';

/** The features that the operator allows organizations. */
export const featuresOf = (
  settings: Pick<
    Settings,
    'ANNALS_MAX_UPLOAD_MIB' | 'ANNALS_PUSH_BOUNCER_URL' | 'ANNALS_UPLOAD_QUOTA_MIB' | 'ANNALS_WEB_PUBLIC_CHANNELS'
  >,
  providers: SignOnProviders,
): ServerFeatures =>
  new ServerFeatures(
    settings.ANNALS_WEB_PUBLIC_CHANNELS === 'on',
    settings.ANNALS_MAX_UPLOAD_MIB,
    settings.ANNALS_UPLOAD_QUOTA_MIB ?? null,
    settings.ANNALS_PUSH_BOUNCER_URL !== undefined,
    serverSignInOf(providers),
  );
