import { describe, expect, it } from 'vitest'
import { headerOf } from './csv-header.ts'

describe('the example table of a template', () => {
  it('has a name and an email for every role and each labelled field once, quoted where needed', () => {
    const text = headerOf({
      recipients: [{ name: 'Tenant' }, { name: 'Owner, "main"' }],
      fields: [
        { label: 'Rent', type: 'TEXT' },
        { label: null, type: 'TEXT' },
        { label: 'Rent', type: 'NUMBER' },
        { label: 'Sign here', type: 'SIGNATURE' },
      ],
    })
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'title,Tenant name,Tenant email,"Owner, ""main"" name","Owner, ""main"" email",Rent',
      ',Person 1,person1@example.com,Person 2,person2@example.com,',
    ])
  })
})
