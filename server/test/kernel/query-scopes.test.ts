/**
 * Tenancy by construction: each exported function of a `queries` file takes the actor, or says in its name that it does
 * not look at one. Then a caller cannot forget the check without writing `Unscoped`.
 */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const modules = new URL('../../src/modules/', import.meta.url).pathname

/** Exported functions that need no actor, each with its reason. */
const allowed: Record<string, string> = {
  'platform-admin/isSetUp': 'public: the sign-in page shows whether the first admin has still to be made',
}

const declared = /export const (\w+) =\s*(?:async )?(?:<[^(]*>)?\(([^)]*)\)/g
const functionForm = /export (?:async )?function\*? (\w+)(?:<[^(]*>)?\(([^)]*)\)/g
/** A directory is the caller of SCIM: one organization's. */
const takesActor = /:\s*(?:Pick<)?(?:Actor|OrgActor|Directory)\b|\bactor\b/

const offenders = (): string[] => {
  const found: string[] = []
  const files = [...globSync('**/queries.ts', { cwd: modules }), ...globSync('**/queries/*.ts', { cwd: modules })]
  for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
    const text = readFileSync(`${modules}${file}`, 'utf8')
    const module = file.slice(0, file.indexOf('/'))
    for (const [, name = '', parameters = ''] of [...text.matchAll(declared), ...text.matchAll(functionForm)]) {
      const touchesDatabase = /\b(?:db|tx|on)\b\s*:/.test(parameters)
      const isFine = name.endsWith('Unscoped') || takesActor.test(parameters) || `${module}/${name}` in allowed
      if (touchesDatabase && !isFine) found.push(`${module}/${name}`)
    }
  }
  return found.sort()
}

describe('queries', () => {
  it('take the actor, or end in Unscoped, or have a reason', () => {
    expect(offenders()).toEqual([])
  })

  it('are found at all', () => {
    const text = readFileSync(`${modules}accounts/queries/users.ts`, 'utf8')
    expect([...text.matchAll(declared)].length).toBeGreaterThan(8)
  })
})
