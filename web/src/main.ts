import { createApp } from 'vue';
import { renewBy } from './api/client';
import App from './App.vue';
import { i18n } from './i18n/i18n';
import { createSiteRouter } from './router';
import { takeLandingFromAddress } from './session/forum-landing';
import { rememberPromoter } from './session/promoter';
import { followOtherTabs, restore } from './session/stay';
import { followConfig } from './session/use-config';
import './styles/base.css';
import './styles/panel.css';
import './styles/controls.css';

takeLandingFromAddress();
rememberPromoter(location.search);
followConfig();
followOtherTabs();
renewBy(restore);
createApp(App).use(i18n).use(createSiteRouter()).mount('#app');
