/**
 * Finds the sign-in method of an address. Unknown addresses answer like any other, so that nothing can be learned by
 * asking.
 */
import type { AccountsContext } from '../context.ts'

export const resolveLoginMode = async ({ loginMethods }: Pick<AccountsContext, 'loginMethods'>, email: string) => {
  for (const claim of loginMethods) {
    const mode = await claim(email)
    if (mode) return mode
  }
  return { mode: 'NATIVE' as const }
}
