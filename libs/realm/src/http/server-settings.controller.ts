import type { RealmId } from '@annals/kernel/domain';
import { nullable, t } from '@annals/kernel/domain';
import { AtRealm, Endpoint, Info, RequestInfo } from '@annals/web';
import { renderDescription } from '@annals/markdown';
import { Controller } from '@nestjs/common';
import type { OfferedMethods } from '../read/authentication/authentication-methods';
import { AuthenticationMethods, allowsPasswords } from '../read/authentication/authentication-methods';
import { PictureFacts } from '../read/pictures/picture-facts';
import { pictureUrl } from '../read/pictures/pictures';
import { RealmFacts } from '../read/realm-facts';
import type { RealmRow } from '../read/realm-row';
import { SERVER_VERSION } from '../read/server-properties';
import { VerifierKeys } from '../verifier-keys';
import { ServerAddress } from '../server-address';
import { ServerFeatures } from '../server-features';
import type { SignInButton } from '../server-sign-in';

/**
 * Lists every method that clients know, whether or not this server offers it (contract/boot.md section 2.1). Providers
 * with a name of their own are reached by OpenID Connect.
 */
const presentedMethods = (methods: OfferedMethods) => ({
  password: allowsPasswords(methods),
  dev: methods.Dev ?? false,
  email: methods.Email ?? false,
  ldap: methods.LDAP ?? false,
  remoteuser: methods.RemoteUser ?? false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: methods.SAML ?? false,
  'openid connect': methods['OpenID Connect'] ?? false,
  discord: false,
});

const serverSettings = t.Object({
  authentication_methods: t.Record(t.String(), t.Boolean()),
  external_authentication_methods: t.Array(
    t.Object({
      name: t.String(),
      display_name: t.String(),
      display_icon: nullable(t.String()),
      login_url: t.String(),
      signup_url: t.String(),
    }),
  ),
  zulip_version: t.String(),
  zulip_merge_base: t.String(),
  zulip_feature_level: t.Integer(),
  push_notifications_enabled: t.Boolean(),
  is_incompatible: t.Boolean(),
  email_auth_enabled: t.Boolean(),
  require_email_format_usernames: t.Boolean(),
  realm_url: t.String(),
  realm_uri: t.String({ deprecated: true, description: 'The same as `realm_url`.' }),
  realm_name: t.String(),
  realm_icon: t.String(),
  realm_description: t.String({ description: 'HTML.' }),
  realm_web_public_access_enabled: t.Boolean(),
  audit_verifier_key: nullable(
    t.String({ description: 'Verifies the checkpoints of the log (C2SP signed note). Null before the first one.' }),
  ),
});

/** The one client name that is refused, so that developers can try the refusal. */
const INCOMPATIBLE_CLIENT = 'ZulipInvalid';

@Controller()
export class ServerSettingsController {
  constructor(
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly features: ServerFeatures,
    private readonly keys: VerifierKeys,
    private readonly pictures: PictureFacts,
    private readonly methods: AuthenticationMethods,
  ) {}

  /** contract/boot.md section 2.1 */
  @Endpoint('GET', 'server_settings', {
    audience: 'public',
    ofDeactivated: true,
    section: 'boot 2.1',
    summary: 'What a client must know before it logs in',
    addressQuota: 'visits',
    returns: serverSettings,
  })
  async show(@AtRealm() realmId: RealmId, @Info() { origin }: RequestInfo) {
    const realm = await this.realms.of(realmId);
    const settings = presentServerSettings(realm, this.address.urlOf(realm.subdomain), origin.client);
    const { webPublicChannels, pushNotifications, signIn } = this.features;
    const methods = await this.methods.of(realmId);
    const { icon } = await this.pictures.of(realmId);
    return {
      realm_icon: pictureUrl(realm, icon ?? null),
      push_notifications_enabled: pushNotifications,
      realm_web_public_access_enabled: webPublicChannels && realm.settings.enable_spectator_access,
      audit_verifier_key: await this.keys.of(realmId),
      authentication_methods: presentedMethods(methods),
      external_authentication_methods: presentedButtons(signIn.buttonsOf(realm.subdomain), methods),
      email_auth_enabled: methods.Email ?? false,
      require_email_format_usernames: !(methods.LDAP ?? false),
      ...settings,
    };
  }
}

const presentedButtons = (buttons: readonly SignInButton[], methods: OfferedMethods) =>
  buttons
    .filter(({ method }) => methods[method])
    .map(({ name, displayName, displayIcon, loginPath, signupPath }) => ({
      name,
      display_name: displayName,
      display_icon: displayIcon,
      login_url: loginPath,
      signup_url: signupPath,
    }));

function presentServerSettings({ texts }: RealmRow, url: string, client: string) {
  return {
    ...SERVER_VERSION,
    is_incompatible: client === INCOMPATIBLE_CLIENT,
    realm_url: url,
    realm_uri: url,
    realm_name: texts.name,
    realm_description: renderDescription(texts.description),
  };
}
