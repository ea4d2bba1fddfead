/** How the sides of a comparison are called. */
import type { VersionItem } from '@chancery/contract/workflows.ts'
import { draftKey } from './api.ts'

export const sayVersion = ({ version, type, live }: Pick<VersionItem, 'version' | 'type' | 'live'>): string =>
  `Version ${version} · ${type}${live ? ', live' : ''}`

interface Side {
  key: string
  label: string
}

/** What can be compared: the draft, and every version that is known; also one that only the address names. */
export function sidesOf(versions: readonly VersionItem[], ...named: (string | undefined)[]): Side[] {
  const known = [
    { key: draftKey, label: 'Draft as it is now' },
    ...versions.map((version) => ({ key: String(version.version), label: sayVersion(version) })),
  ]
  const others = [...new Set(named)].filter((key) => key !== undefined && known.every((side) => side.key !== key))
  return [...known, ...others.map((key) => ({ key: key ?? '', label: `Version ${key}` }))]
}

/** What one compares a version with first: the one before it, so that one sees what it changed. */
export const versionBefore = (version: number): string | undefined => (version > 1 ? String(version - 1) : undefined)

/** Version 1 changed nothing: there one sees what has changed since. */
export const firstComparison = (version: number): { from: string; to: string } => ({
  from: versionBefore(version) ?? String(version),
  to: version > 1 ? String(version) : draftKey,
})
