/** Names of settings. The key stays visible for those who know it from the environment. Pure. */
import type { SettingEntry } from '@chancery/contract/platform/settings.ts'
import { chooseOption } from '#lib/problems/problem-text.ts'
import { groupOf } from './setting-value.ts'

const groupTitles: Record<string, string> = {
  'audio.stt': 'Speech to text',
  'audio.tts': 'Text to speech',
  oauth: 'Sign-in providers',
  'oauth.oidc': 'OpenID Connect',
  images: 'Image generation',
  'oauth.google': 'Google',
  'oauth.microsoft': 'Microsoft',
  platform: 'Platform admins',
  'rag.embedding': 'Knowledge',
  'rag.reranking': 'Reranking',
  retention: 'Data retention',
  search: 'Web search',
  task: 'Titles and tags',
  'tools.approval': 'Ask before built-in tools run',
}

const labels: Record<string, string> = {
  'audit.retention_days': 'Keep the audit log for (days)',
  'events.retention_days': 'Keep events for (days)',
  'events.delivery_retention_days': 'Keep decisions about events for (days)',
  'oauth.enable_signup': 'Create accounts on first sign-in',
  'platform.factor_policy': 'Second factor for platform admins',
  'platform.remembers_browsers': 'Platform admins may have a browser remembered',
  'rag.embedding.engine': 'Embedding engine',
  'search.engine': 'Search engine',
  'search.results': 'Results per search',
  'search.pages': 'Results read in full',
  'task.model': 'Model for titles, tags and suggestions',
  'workflows.step_retention_days': 'Keep the steps of runs for (days)',
  'workflows.run_retention_days': 'Keep runs for (days)',
}

const shortWords: Record<string, string> = {
  id: 'ID',
  uri: 'URI',
  url: 'URL',
  oidc: 'OIDC',
  api: 'API',
  compat: 'compatible',
  elevenlabs: 'ElevenLabs',
  localstt: 'local',
  vad: 'silence',
}

/** `oauth.oidc.client_id` → `Client ID`. */
export function labelOf(key: string): string {
  const known = labels[key]
  if (known !== undefined) return known
  const text = key
    .slice(key.lastIndexOf('.') + 1)
    .split('_')
    .map((word) => shortWords[word] ?? word)
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const titleOf = (group: string): string => groupTitles[group] ?? labelOf(group)

export const matchSettings = (entries: readonly SettingEntry[], text: string): SettingEntry[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ key, sentence }) => {
    const all = [key, labelOf(key), titleOf(groupOf(key)), sentence].join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** Options are typed here: the sentence, which names them, stays. */
export const problemOf = ({ sentence }: SettingEntry, problem: string | undefined): string | undefined =>
  problem === chooseOption ? `${problem} ${sentence}` : problem

/** Read-only and without a value: nothing to see or to do here. */
export const isIdle = ({ isEditable, isSet, source }: SettingEntry): boolean =>
  !isEditable && (!isSet || source === 'default')
