/** Deactivating and reactivating accounts, in the list and on the page of one. */
import type { UserRow } from '@chancery/contract/platform/platform.ts'
import { UserRoundCheck, UserRoundX } from 'lucide-react'
import type { RowActions } from '#ui/actions/row-action.ts'
import { changeUser, useRefreshUsers } from './api.ts'

export const useUserActions = (): RowActions<UserRow> => ({
  nouns: ['person', 'people'],
  nameOf: ({ name }) => name,
  labelOf: ({ email }) => email,
  whatOf: ({ name }) => name,
  look: 'buttons',
  refresh: useRefreshUsers(),
  list: [
    {
      label: 'Deactivate',
      icon: UserRoundX,
      done: 'deactivated',
      isFor: ({ banned }) => !banned,
      ask: {
        title: (what) => `Deactivate ${what}?`,
        one: ({ email }) =>
          `${email} is signed out immediately, their API keys stop working, and they can’t sign in until you reactivate them. Nothing is deleted.`,
        many: 'They’re signed out immediately, their API keys stop working, and they can’t sign in until you reactivate them. Nothing is deleted.',
      },
      call: (row) => changeUser(row, false),
    },
    {
      label: 'Reactivate',
      icon: UserRoundCheck,
      done: 'reactivated',
      isFor: ({ banned }) => banned,
      call: (row) => changeUser(row, true),
    },
  ],
})
