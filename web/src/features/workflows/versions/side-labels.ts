/** Labels for the sides of a comparison. */
import type { VersionItem } from '@chancery/contract/workflows/workflows.ts'
import { draftKey } from './api.ts'

export const versionLabel = ({ version, type, live }: Pick<VersionItem, 'version' | 'type' | 'live'>): string =>
  `Version ${version} · ${type}${live ? ', latest' : ''}`

interface Side {
  key: string
  label: string
}

/** Sides that can be compared: the draft, every loaded version, and one that only the URL names. */
export function sidesOf(versions: readonly VersionItem[], ...named: (string | undefined)[]): Side[] {
  const known = [
    { key: draftKey, label: 'Current draft' },
    ...versions.map((version) => ({ key: String(version.version), label: versionLabel(version) })),
  ]
  const others = [...new Set(named)].filter((key) => key !== undefined && known.every((side) => side.key !== key))
  return [...known, ...others.map((key) => ({ key: key ?? '', label: `Version ${key}` }))]
}

/** The default to compare with: the previous version, to show what this one changed. */
export const versionBefore = (version: number): string | undefined => (version > 1 ? String(version - 1) : undefined)

/** Version 1 has no previous version, so it is compared with the draft. */
export const firstComparison = (version: number): { from: string; to: string } => ({
  from: versionBefore(version) ?? String(version),
  to: version > 1 ? String(version) : draftKey,
})
