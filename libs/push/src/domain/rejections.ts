import { rejection } from '@annals/kernel/domain';

export const reject = {
  notConfigured: rejection('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.'),
  noSuchDevice: rejection('BAD_REQUEST', 'Invalid device_id'),
  tooManyDevices: rejection<{ limit: number }>('BAD_REQUEST', ({ limit }) => `There are ${limit} devices already.`),
  incomplete: rejection(
    'BAD_REQUEST',
    'Missing parameters: must provide either all push key fields, all push token fields, or both.',
  ),
  keyNeeded: rejection('BAD_REQUEST', 'Push key and push token fields are required for the initial registration.'),
  inProgress: rejection('BAD_REQUEST', 'A token registration for this device is already in progress.'),
  noActiveDevice: rejection('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device'),
  serviceAway: rejection(
    'FAILED_TO_CONNECT_BOUNCER',
    'Network error while connecting to the push notification service.',
  ),
  serviceBroken: rejection(
    'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    'Internal server error on the push notification service; please try again later.',
  ),
  administratorNeeded: rejection(
    'ADMIN_ACTION_REQUIRED',
    'This server is not set up to send push notifications. Ask your server administrator.',
  ),
  refusedByService: rejection('BAD_REQUEST', 'The push notification service refused the notification.'),
  noSuchToken: rejection('BAD_REQUEST', 'Token does not exist'),
  unknownTestToken: rejection('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized'),
  tooManyTokens: rejection<{ limit: number }>('BAD_REQUEST', ({ limit }) => `There are ${limit} tokens already.`),
};
