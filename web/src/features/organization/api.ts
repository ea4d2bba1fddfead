/** The organization of whoever is signed in. */
import { Organization } from '@chancery/contract/organizations.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

export const useOrganization = () =>
  useQuery({ queryKey: ['organization'], queryFn: () => api.get('/api/org/me', Organization) })
