/** The name of our keys in the metadata of the objects that we make at Stripe. */
export const keyName = 'sundial_key';
