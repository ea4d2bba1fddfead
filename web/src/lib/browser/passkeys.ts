/**
 * Passkeys, through a library that knows what each browser does differently. It loads with the first use. What fails says
 * what to do next.
 */
import { ApiError } from '#lib/problems/api-error.ts'

const load = () => import('@simplewebauthn/browser')

/** As the server sends them; the library checks what it needs. */
type Options = { challenge: string }
type Answer = { id: string; rawId: string; type: 'public-key'; response: { clientDataJSON: string } }

export async function createPasskey(options: Options): Promise<Answer> {
  const { startRegistration } = await load()
  return startRegistration({ optionsJSON: options as never }).catch(fail)
}

export async function answerByPasskey(options: Options): Promise<Answer> {
  const { startAuthentication } = await load()
  return startAuthentication({ optionsJSON: options as never }).catch(fail)
}

/** In the list of names below the email field. Undefined if this browser can't, or the offer was taken back. */
export async function offerPasskeys(ask: () => Promise<Options>): Promise<Answer | undefined> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await load()
  if (!(await browserSupportsWebAuthnAutofill())) return undefined
  try {
    return await startAuthentication({ optionsJSON: (await ask()) as never, useBrowserAutofill: true })
  } catch {
    return undefined
  }
}

export async function takeOfferBack() {
  const { WebAuthnAbortService } = await load()
  WebAuthnAbortService.cancelCeremony()
}

const sentences: Record<string, string> = {
  AbortError: 'Cancelled. Try again, or choose another way.',
  NotAllowedError: 'Cancelled, or it took too long. Try again, or choose another way.',
  InvalidStateError: 'This device already has a passkey for your account.',
  NotSupportedError: 'This device can’t make a passkey for this site. Choose another way.',
  SecurityError: 'Passkeys don’t work at this address. Choose another way.',
}

function fail(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  const sentence = sentences[name] ?? 'Your browser couldn’t use a passkey. Try again, or choose another way.'
  throw new ApiError({ status: 0, code: 'passkey_failed', sentence })
}
