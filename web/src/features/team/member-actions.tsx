import type { Member } from '@chancery/contract/organizations/team.ts'
import { RotateCcwKey, ShieldCheck, ShieldMinus, UserRoundCheck, UserRoundX } from 'lucide-react'
import type { Doing, RowActions } from '#ui/actions/row-action.ts'
import { Badge } from '#ui/values/badge.tsx'
import { resetFactors, sendChange } from './api.ts'

const isAdmin = ({ role }: Member) => role === 'ROLE_ORG_ADMIN'
const isActive = ({ status }: Member) => status === 'ACTIVE'

export const memberActions = (ownId: string): Omit<RowActions<Member>, 'refresh'> => ({
  nouns: ['person', 'people'],
  nameOf: ({ name }) => name,
  labelOf: ({ email }) => email,
  whatOf: ({ name }) => name,
  noteFor: ({ id }) => id === ownId && <Badge>You</Badge>,
  list: [promote, ...ownAndOthers(ownId, demote), ...ownAndOthers(ownId, deactivate), reactivate, resetting(ownId)],
})

const promote: Doing<Member> = {
  label: 'Make admin',
  icon: ShieldCheck,
  done: 'made organization admins',
  doneFor: ({ name }) => `${name} is now an organization admin`,
  isFor: (member) => !isAdmin(member),
  call: (member) => sendChange(member, 'promote'),
}

const demote: Loss = {
  label: 'Remove admin role',
  icon: ShieldMinus,
  done: 'made members',
  doneFor: ({ name }) => `${name} is now a member`,
  isFor: isAdmin,
  ask: {
    title: (what) => `Remove admin role from ${what}?`,
    one: ({ email }) => `${email} can no longer invite people, change roles or manage sign-in.`,
    many: 'They can no longer invite people, change roles or manage sign-in.',
    // The last admin has to stay.
    keepsFailure: true,
  },
  call: (member) => sendChange(member, 'demote'),
}

const deactivate: Loss = {
  label: 'Deactivate',
  icon: UserRoundX,
  tone: 'bad',
  done: 'deactivated',
  isFor: isActive,
  ask: {
    title: (what) => `Deactivate ${what}?`,
    one: ({ email }) =>
      `${email} is signed out immediately, their API keys stop working, and they can’t sign in until you reactivate them. Nothing is deleted, and their seat becomes free.`,
    many: 'They’re signed out immediately, their API keys stop working, and they can’t sign in until you reactivate them. Nothing is deleted, and their seats become free.',
    keepsFailure: true,
  },
  call: (member) => sendChange(member, 'deactivate'),
}

const reactivate: Doing<Member> = {
  label: 'Reactivate',
  icon: UserRoundCheck,
  done: 'reactivated',
  isFor: (member) => !isActive(member),
  call: (member) => sendChange(member, 'reactivate'),
}

/** Everybody removes their own on their account page. */
const resetting = (ownId: string): Doing<Member> => ({
  label: 'Reset second factors',
  icon: RotateCcwKey,
  on: 'one',
  done: 'can sign in with the password alone',
  isFor: ({ id, factors = [] }) => id !== ownId && factors.some((kind) => kind !== 'email'),
  ask: {
    title: (what) => `Reset second factors of ${what}?`,
    one: ({ email }) =>
      `Their passkeys, authenticator apps and recovery codes are removed, and ${email} is signed out everywhere. Only do this if you know that they asked for it.`,
    keepsFailure: true,
  },
  call: resetFactors,
})

type Loss = Doing<Member> & Required<Pick<Doing<Member>, 'isFor' | 'ask'>>

/** Rights of the viewer's own are asked about by themselves, because they can't be taken back. */
const ownAndOthers = (ownId: string, action: Loss): Doing<Member>[] => [
  { ...action, isFor: (member) => member.id !== ownId && action.isFor(member) },
  {
    ...action,
    on: 'one',
    isFor: (member) => member.id === ownId && action.isFor(member),
    ask: {
      ...action.ask,
      one: (member) => (
        <>
          <p>{action.ask.one?.(member)}</p>
          <p className="font-medium text-ink">This is your own account: you’ll lose these rights yourself.</p>
        </>
      ),
    },
  },
]
