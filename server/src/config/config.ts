/**
 * The environment variables of the kernel and of all modules, in the order of docs/CONFIGURATION.md, which is generated
 * from them. Each is declared by the module that reads it; a module sees its own and the kernel's (docs/decisions/0048).
 */
import { checkKernel, type Config as KernelConfig, kernelVariables, readVariables } from '#kernel/config/config.ts'
import type { Joined, Sections, ValuesOf } from '#kernel/config/variable.ts'
import { accountsVariables } from '#modules/accounts/config.ts'
import { audioVariables } from '#modules/audio/config.ts'
import { completionsVariables } from '#modules/completions/config.ts'
import { eventBusVariables } from '#modules/event-bus/config.ts'
import { filesVariables } from '#modules/files/config.ts'
import { imagesVariables } from '#modules/images/config.ts'
import { knowledgeVariables } from '#modules/knowledge/config.ts'
import { ldapVariables } from '#modules/ldap/config.ts'
import { modelsVariables } from '#modules/models/config.ts'
import { monitoringVariables } from '#modules/monitoring/config.ts'
import { checkOauth, oauthVariables } from '#modules/oauth/config.ts'
import { organizationsVariables } from '#modules/organizations/config.ts'
import { checkPdf, pdfVariables } from '#modules/pdf/config.ts'
import { realtimeVariables } from '#modules/realtime/config.ts'
import { runsVariables } from '#modules/runs/config.ts'
import { settingsVariables } from '#modules/settings/config.ts'
import { signingVariables } from '#modules/signing/config.ts'
import { checkSso, ssoVariables } from '#modules/sso/config.ts'
import { toolServersVariables } from '#modules/tool-servers/config.ts'
import { refuseForeignNames } from './refused-names.ts'

const ofModules = [
  monitoringVariables,
  accountsVariables,
  organizationsVariables,
  completionsVariables,
  settingsVariables,
  oauthVariables,
  ssoVariables,
  ldapVariables,
  modelsVariables,
  realtimeVariables,
  eventBusVariables,
  runsVariables,
  toolServersVariables,
  audioVariables,
  filesVariables,
  knowledgeVariables,
  imagesVariables,
  pdfVariables,
  signingVariables,
] as const

/** What must fit together. */
const checks = [checkKernel, checkPdf, checkOauth, checkSso]

type ValuesOfEach<Declared> = Declared extends Sections ? ValuesOf<Declared> : never
export type ModulesConfig = Joined<ValuesOfEach<(typeof ofModules)[number]>>
export type Config = KernelConfig & ModulesConfig

/** Two modules may declare variables for the same section. */
export const sections = (): Sections => {
  const joined: Record<string, Sections[string]> = {}
  const all = [kernelVariables, ...ofModules].flatMap((declared) => Object.entries<Sections[string]>(declared))
  for (const [title, variables] of all) joined[title] = { ...joined[title], ...variables }
  return joined
}

export const readConfig = (env: Record<string, string | undefined>): Config => {
  refuseForeignNames(env)
  const config = readVariables(sections(), env) as Config
  for (const check of checks) check(config)
  return config
}
