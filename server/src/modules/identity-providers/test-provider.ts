/** Tries a provider step by step, and says in plain sentences how far it got. Nothing of its own errors is shown. */
import type { ProviderTest } from '@chancery/contract/organizations/identity-providers.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { OidcError, type ProviderFacts } from '#kernel/oidc/index.ts'
import { getProvider, type ProvidersContext } from './context.ts'

type Step = ProviderTest['steps'][number]

const failed = (step: Step['step'], problem: unknown): Step => {
  if (!(problem instanceof OidcError)) throw problem
  const { cause, reason } = problem
  const inner = cause instanceof Error && cause.cause instanceof AppError ? cause.cause : cause
  if (inner instanceof AppError) return { step, ok: false, detail: inner.message }
  // One without a cause is our own sentence.
  if (cause === undefined) return { step, ok: false, detail: `${capitalized(problem.message)}.` }
  return { step, ok: false, detail: reason === 'unavailable' ? away : wrong }
}

const away = 'The provider doesn’t answer as it should. Check the issuer.'
const wrong = 'The provider answers, but not as this issuer.'
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const testProvider = async (context: ProvidersContext, actor: OrgActor, id: string): Promise<ProviderTest> => {
  const client = context.newClientOf(await getProvider(context, actor, id))
  const steps: Step[] = []
  let facts: ProviderFacts
  try {
    facts = await client.describe()
  } catch (problem) {
    return { ok: false, steps: [failed('discovery', problem)], metadata: null }
  }
  steps.push({ step: 'discovery', ok: true, detail: `Found ${facts.issuer}.` })
  steps.push({ step: 'endpoints', ok: true, detail: 'It has addresses for signing in.' })
  try {
    const keyAlgorithms = await client.readKeys()
    const isUsable = keyAlgorithms.length > 0
    const detail = isUsable
      ? `Found ${keyAlgorithms.length === 1 ? 'one key' : `${keyAlgorithms.length} keys`}.`
      : 'It has no keys.'
    steps.push({ step: 'keys', ok: isUsable, detail })
    return { ok: isUsable, steps, metadata: { ...facts, keyAlgorithms } }
  } catch (problem) {
    return { ok: false, steps: [...steps, failed('keys', problem)], metadata: { ...facts, keyAlgorithms: [] } }
  }
}
