/** MCP clients that sign in here with OAuth 2.1: registration, and the person's consent. */
import { z } from 'zod'

const address = z.string().min(1).max(2000)

/** RFC 7591, as far as a public client needs it; other fields are ignored. */
export const ClientRegistration = z.looseObject({
  client_name: z.string().max(100).optional(),
  redirect_uris: z.array(address).min(1).max(10),
})

/** The parameters with which a client sends the browser to the page where the person decides. */
const Asked = {
  client_id: z.string().min(1).max(40_000),
  redirect_uri: address,
  response_type: z.literal('code'),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
  state: z.string().max(2000).optional(),
  scope: z.string().max(2000).optional(),
  resource: address.optional(),
}
export const ClientRequest = z.object(Asked)
export const ClientConsent = z.strictObject(Asked)
export type ClientConsent = z.infer<typeof ClientConsent>

/**
 * The client that asks. `return_to` is where the browser goes with the answer: a host, or the scheme of an application.
 */
export const ClientQuestion = z.object({ client_name: z.string(), return_to: z.string() })
export const ClientGranted = z.object({ redirect_to: z.string() })

/** RFC 6749, 4.1.3 and 6, with RFC 7636. */
export const ClientTokenForm = z.looseObject({
  grant_type: z.string().max(100).optional(),
  code: z.string().max(200).optional(),
  client_id: z.string().max(40_000).optional(),
  redirect_uri: z.string().max(2000).optional(),
  code_verifier: z.string().max(200).optional(),
  refresh_token: z.string().max(200).optional(),
})
