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

/** Not renamed yet, by module. Don't add names; remove a module's line once its functions are renamed. */
const stillToRename: Record<string, readonly string[]> = {
  chats: [
    'countChats',
    'deleteShare',
    'insertChat',
    'insertFolder',
    'rewriteMessage',
    'saveMessages',
    'saveRunning',
    'saveShare',
    'takeMessage',
  ],
  completions: ['insertTask'],
  'event-bus': [
    'deleteDeadLetter',
    'deleteDeliveriesBefore',
    'deleteDispatches',
    'deleteEventsBefore',
    'deleteKeysBefore',
    'insertDeadLetter',
    'insertDeliveries',
    'insertDispatch',
    'insertEvents',
    'insertSubscription',
    'lockDispatch',
    'markSubscriptionsChanged',
    'partBatchRows',
    'postponeDispatch',
  ],
  models: [
    'countChange',
    'deleteConnectionRow',
    'deleteModelRow',
    'insertModelRow',
    'listConnectionRows',
    'lockConnectionRow',
    'readChangeNumber',
    'updateModelRow',
    'upsertConnectionRow',
  ],
  usage: ['addUse', 'insertLimit'],
  workflows: [
    'claimRunKey',
    'copyFinishedSteps',
    'deleteCatalogRow',
    'deleteSpaceRow',
    'deleteWorkflowRow',
    'findNewestRetry',
    'findVersion',
    'insertApproval',
    'insertCronTrigger',
    'insertGraph',
    'insertRuns',
    'insertSpace',
    'insertVersion',
    'insertWait',
    'insertWebhook',
    'insertWorkflow',
    'listStepHeads',
    'listStepRevisions',
    'listSteps',
    'listStepsById',
    'listVersions',
    'noteArrival',
    'replaceSpaceMembers',
    'updateSpaceRow',
    'updateWorkflow',
    'upsertCatalog',
  ],
}

const declared = /export const (\w+) =\s*(?:async )?(?:<[^(]*>)?\(([^)]*)\)/g
const functionForm = /export (?:async )?function\*? (\w+)(?:<[^(]*>)?\(([^)]*)\)/g
const takesActor = /:\s*(?:Pick<)?(?:Actor|OrgActor)\b|\bactor\b/

const offenders = (): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  const files = [...globSync('**/queries.ts', { cwd: modules }), ...globSync('**/queries/*.ts', { cwd: modules })]
  for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
    const text = readFileSync(`${modules}${file}`, 'utf8')
    const module = file.slice(0, file.indexOf('/'))
    for (const [, name = '', parameters = ''] of [...text.matchAll(declared), ...text.matchAll(functionForm)]) {
      const touchesDatabase = /\b(?:db|tx|on)\b\s*:/.test(parameters)
      const isFine = name.endsWith('Unscoped') || takesActor.test(parameters) || `${module}/${name}` in allowed
      if (touchesDatabase && !isFine) found.set(module, [...(found.get(module) ?? []), name].sort())
    }
  }
  return found
}

describe('queries', () => {
  it('take the actor, or end in Unscoped, or have a reason', () => {
    const unexpected = [...offenders()].flatMap(([module, names]) =>
      names.filter((name) => !stillToRename[module]?.includes(name)).map((name) => `${module}/${name}`),
    )
    expect(unexpected).toEqual([])
  })

  it('are found at all', () => {
    const text = readFileSync(`${modules}accounts/queries/users.ts`, 'utf8')
    expect([...text.matchAll(declared)].length).toBeGreaterThan(8)
  })
})
