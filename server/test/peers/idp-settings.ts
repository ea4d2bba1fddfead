/** The settings of the test provider: one confidential client, one service account, nobody asked for consent. */
import type { JWK } from 'jose'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { IdpDirectory } from './idp-directory.ts'

export interface IdpClientOptions {
  clientId?: string
  redirectUris?: string[]
  postLogoutRedirectUris?: string[]
}

interface Options {
  options: IdpClientOptions
  key: JWK
  /** `/realms/<realm>` */
  prefix: string
  directory: IdpDirectory
  backchannelUri: string
}

/** The address under which tests register the app; `idp-browser.ts` leads it to where the app really listens. */
export const appOrigin = 'http://chancery.test'

const routes = {
  authorization: '/protocol/openid-connect/auth',
  token: '/protocol/openid-connect/token',
  jwks: '/protocol/openid-connect/certs',
  userinfo: '/protocol/openid-connect/userinfo',
  end_session: '/protocol/openid-connect/logout',
}

/** Nobody is asked for consent: whatever the client asks for is granted. */
const grantAll = async (context: KoaContextWithOIDC) => {
  const { client, session, provider, params } = context.oidc
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope(String(params?.scope ?? 'openid'))
  await grant.save()
  return grant
}

export const providerSettings = ({ options, key, prefix, directory, backchannelUri }: Options) => {
  const { clientId = 'chancery' } = options
  const clientSecret = 'the secret of the confidential client'
  const adminClientId = 'chancery-admin'
  const adminClientSecret = 'the secret of the service account'

  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: options.redirectUris ?? [`${appOrigin}/sso/callback`],
        post_logout_redirect_uris: options.postLogoutRedirectUris ?? [`${appOrigin}/sign-in`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        backchannel_logout_uri: backchannelUri,
        backchannel_logout_session_required: true,
      },
      {
        client_id: adminClientId,
        client_secret: adminClientSecret,
        redirect_uris: [],
        grant_types: ['client_credentials'],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [key as never] },
    cookies: { keys: ['a key for the cookies of a test'] },
    claims: {
      openid: ['sub', 'azp'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username', 'picture'],
    },
    conformIdTokenClaims: false,
    routes,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        // Straight through: the page that asks "really sign out?" submits itself.
        logoutSource: (context, form) => {
          context.body = `${form}<input type="hidden" name="logout" value="yes" form="op.logoutForm">`
        },
      },
    },
    // The provider refuses loopback addresses by its dispatcher; in a test, everything is on loopback.
    fetch: (url, init) => fetch(url, { ...init, dispatcher: undefined } as RequestInit),
    interactions: { url: (_context, interaction) => `${prefix}/interaction/${interaction.uid}` },
    loadExistingGrant: grantAll,
    ttl: { ClientCredentials: 60, AccessToken: 300, IdToken: 300, Session: 3600, Interaction: 600, Grant: 3600 },
    findAccount: (_context, id) => {
      const person = directory.people.get(id)
      if (!person?.enabled) return undefined
      const { email, emailVerified, username, firstName, lastName } = person
      return {
        accountId: id,
        claims: () => ({
          sub: id,
          azp: clientId,
          email,
          email_verified: emailVerified,
          preferred_username: username,
          name: `${firstName} ${lastName}`,
          given_name: firstName,
          family_name: lastName,
        }),
      }
    },
  }
  return { configuration, clientId, clientSecret, adminClientId, adminClientSecret }
}
