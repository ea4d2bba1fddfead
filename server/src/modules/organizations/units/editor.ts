/** Who changes a group or a department: an administrator, or the organization's own directory with nobody behind it. */
import type { OrgActor } from '#kernel/http/access.ts'

export type UnitEditor = OrgActor | { kind: 'directory'; organizationId: string }

export const authorOf = (editor: UnitEditor): OrgActor | 'system' => (editor.kind === 'directory' ? 'system' : editor)
